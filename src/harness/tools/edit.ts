// The edit tool: replacements of exact text in one file, all made against the text as it is now.
import { Type } from "@sinclair/typebox";
import type { AgentTool } from "../../agent/types.ts";
import { UserError } from "../../shared/errors.ts";
import type { TextSnapshot } from "../ports.ts";
import type { ComputeText } from "../proposals/review.ts";
import { applyEdits } from "./apply-edits.ts";
import { carryOver } from "./carry-over.ts";
import type { EditToolContext } from "./edit-context.ts";
import type { TextEdit } from "./match.ts";
import type { Place } from "./paths.ts";
import { locate, pathKey } from "./paths.ts";
import { proposeText } from "./propose-text.ts";
import type { SeenState } from "./read-records.ts";
import { keepBom, loadForEdit } from "./text-file.ts";
import { listOfEdits, typedArguments } from "./tool-arguments.ts";
import { editWaiting, proposeOnWaiting } from "./waiting-change.ts";

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
  return carryOver({ known, edited, now }, path);
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
      const onFile = (base: TextSnapshot) => {
        const seen = seenState(context, place, base);
        const known = seen === "stale" ? context.reads.textOf(place.realUri) : undefined;
        const text = keepBom(base.text, editedText({ known, now: base.text }, edits, place.path));
        return { text, note: seen === "stale" ? staleNote(place.path) : undefined };
      };
      const compute: ComputeText = (base, proposed) => {
        if (base === undefined) return applyEdits(proposed, edits, place.path);
        return editWaiting({ file: base.text, proposed, path: place.path }, edits, () => onFile(base).text);
      };
      const joined = await proposeOnWaiting(context, { tool: "edit", place, compute }, call);
      if (joined) return joined;
      const base = await loadForEdit(place, context.files);
      return proposeText(context, { tool: "edit", place, base, ...onFile(base) }, call);
    },
  };
}

/** Throws a UserError for what may not be edited because it was not read. */
function seenState(context: EditToolContext, { path, realUri }: Place, base: TextSnapshot): SeenState {
  const seen = context.reads.state(realUri, base.version);
  if (seen !== "unread" || base.text === "" || context.settings.current().editUnread) return seen;
  throw new UserError(
    `You have not read ${path} in this session. Read it first, then edit it. (The user can allow edits of unread files with the setting reins.edit.allowUnread.)`,
  );
}
