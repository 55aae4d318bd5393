// The edit tool: replacements of exact text in one file, all made against the text as it is now.
import { Type } from "@sinclair/typebox";
import type { AgentTool } from "../../agent/types.ts";
import { UserError } from "../../shared/errors.ts";
import { applyEdits } from "./apply-edits.ts";
import { locate, pathKey } from "./paths.ts";
import type { EditToolContext } from "./propose-text.ts";
import { proposeText } from "./propose-text.ts";
import { loadForEdit } from "./text-file.ts";
import { listOfEdits, typedArguments } from "./tool-arguments.ts";

const parameters = Type.Object({
  path: Type.String(),
  edits: Type.Array(
    Type.Object({
      oldText: Type.String({ description: "Exact text, unique in the file" }),
      newText: Type.String(),
    }),
    { minItems: 1, description: "All against the current text; they must not overlap" },
  ),
});

export function createEditTool(context: EditToolContext): AgentTool {
  return {
    name: "edit",
    label: "Edit",
    description: "Replace text in a file you have read. The user reviews the change.",
    parameters,
    lockKey: (args) => pathKey(args["path"], context.workspace, context.home),
    prepareArguments: listOfEdits,
    execute: async (args, call) => {
      const { path, edits } = typedArguments(parameters, args);
      const place = await locate(path, context);
      const base = await loadForEdit(place, context.files);
      const seen = context.reads.state(place.realUri, base.version);
      if (seen === "unread" && base.text !== "") {
        throw new UserError(`You have not read ${place.path} in this session. Read it first, then edit it.`);
      }
      const text = applyEdits(base.text, edits, place.path);
      const note =
        seen === "stale"
          ? `${place.path} had changed since you last saw it; the edit was made on its current text. Read it again before relying on other parts.`
          : undefined;
      return proposeText(context, { tool: "edit", place, base, text, note }, call);
    },
  };
}
