// The edit tool: replacements of exact text in one file, all made against the text as it is now.
import { Type } from "@sinclair/typebox";
import type { AgentTool } from "../../agent/types.ts";
import { UserError } from "../../shared/errors.ts";
import { applyEdits } from "./apply-edits.ts";
import { carryOver } from "./carry-over.ts";
import type { TextEdit } from "./match.ts";
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
    { minItems: 1, description: "All against the current text, without overlaps" },
  ),
});

/** `known`: what the model read, where the file is no longer that. */
function editedText(
  { known, now }: { readonly known: string | undefined; readonly now: string },
  edits: readonly TextEdit[],
  path: string,
): string {
  if (known === undefined) return applyEdits(now, edits, path);
  let edited: string;
  try {
    edited = applyEdits(known, edits, path);
  } catch (error) {
    // The model may know the new text from elsewhere, for example from a command's output.
    if (error instanceof UserError) return applyEdits(now, edits, path);
    throw error;
  }
  return carryOver(known, edited, now, path);
}

function staleNote(path: string): string {
  return `${path} had changed since you last saw it; the edit was carried over to its current text. Read it again before relying on other parts.`;
}

export function createEditTool(context: EditToolContext): AgentTool {
  return {
    name: "edit",
    label: "Edit",
    description: "Replace text in a file you have read.",
    parameters,
    lockKey: (args) => pathKey(args["path"], context.workspace, context.home),
    prepareArguments: listOfEdits,
    execute: async (args, call) => {
      const { path, edits } = typedArguments(parameters, args);
      const place = await locate(path, context);
      const base = await loadForEdit(place, context.files);
      const seen = context.reads.state(place.realUri, base.version);
      const unread = seen === "unread" && base.text !== "";
      if (unread && !context.settings.current().editUnread) {
        throw new UserError(
          `You have not read ${place.path} in this session. Read it first, then edit it. (The user can allow edits of unread files with the setting reins.edit.allowUnread.)`,
        );
      }
      const known = seen === "stale" ? context.reads.textOf(place.realUri) : undefined;
      const text = editedText({ known, now: base.text }, edits, place.path);
      const note = seen === "stale" ? staleNote(place.path) : undefined;
      return proposeText(context, { tool: "edit", place, base, text, note }, call);
    },
  };
}
