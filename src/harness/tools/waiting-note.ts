// Says with what is read of a file that a change of it waits: the model is shown the file as it is.
import type { AgentTool } from "../../agent/types.ts";
import { UserError } from "../../shared/errors.ts";
import { isOpen } from "../proposals/proposal.ts";
import type { Proposals } from "../proposals/proposals.ts";
import type { PathContext } from "./paths.ts";
import { locate } from "./paths.ts";

/** `read`, which knows nothing of proposals, with that note. */
export function withWaitingNote(
  read: AgentTool,
  context: PathContext & { readonly proposals: Pick<Proposals, "waitingFor"> },
): AgentTool {
  return {
    ...read,
    execute: async (args, call) => {
      const { path } = args;
      const place = typeof path === "string" ? await locate(path, context) : undefined;
      const waiting = place && context.proposals.waitingFor(place.uri);
      if (!waiting) return read.execute(args, call);
      const { hunks, kind } = waiting.view;
      if (kind === "create" && (await context.files.stat(place.uri)) === undefined) {
        throw new UserError(
          `${place.path} does not exist yet: your new file waits for the user's review. Edit it, if you want to, as you proposed it.`,
        );
      }
      const outcome = await read.execute(args, call);
      const open = hunks.filter(isOpen).length;
      const what = open === 1 ? "1 hunk of yours waits" : `${open} hunks of yours wait`;
      const text = `[${what} for the user's review; the text above is without that.]`;
      return { ...outcome, content: [...outcome.content, { type: "text", text }] };
    },
  };
}
