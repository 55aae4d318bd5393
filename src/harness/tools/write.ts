// The write tool: a new file, or a whole new text for an existing one.
import { Type } from "@sinclair/typebox";
import type { AgentTool, ToolOutcome } from "../../agent/types.ts";
import { UserError } from "../../shared/errors.ts";
import { parseNotebook } from "../notebooks/parse.ts";
import type { TextSnapshot } from "../ports.ts";
import { keepLineEnds } from "../proposals/lines.ts";
import { changesSince } from "./carry-over.ts";
import type { EditToolContext } from "./edit-context.ts";
import type { Place } from "./paths.ts";
import { locate, pathKey } from "./paths.ts";
import { proposeText } from "./propose-text.ts";
import { isNotebook, keepBom, loadForEdit } from "./text-file.ts";
import { typedArguments } from "./tool-arguments.ts";
import { proposeOnWaiting } from "./waiting-change.ts";

const parameters = Type.Object({ path: Type.String(), content: Type.String() });

export function createWriteTool(context: EditToolContext): AgentTool {
  return {
    name: "write",
    label: "Write",
    description: "Create a file, or replace the whole text of one you have read.",
    parameters,
    lockKey: (args) => pathKey(args["path"], context.workspace, context.home),
    execute: async (args, call) => {
      const { path, content } = typedArguments(parameters, args);
      const place = await locate(path, context);
      const textOn = (base: TextSnapshot | undefined) => {
        if (base === undefined) requireWhole(place, content);
        else requireSeen(context, place, base);
        return base === undefined ? content : replacement(base.text, content);
      };
      const joined = await proposeOnWaiting(context, { tool: "write", place, compute: textOn }, call);
      if (joined) return joined;
      if ((await context.files.stat(place.uri)) === undefined) {
        return proposeText(context, { tool: "write", place, base: undefined, text: textOn(undefined) }, call);
      }
      const base = await loadForEdit(place, context.files);
      const text = textOn(base);
      if (text === base.text) return unchanged(place);
      return proposeText(context, { tool: "write", place, base, text }, call);
    },
  };
}

/** A notebook that no editor can open would be of no use. */
function requireWhole(place: Place, content: string): void {
  const { problem } = isNotebook(place) && content !== "" ? parseNotebook(content) : {};
  if (problem === undefined) return;
  throw new UserError(
    `${place.path} would be no notebook, so it was not written. ${problem.what} Write Jupyter's format 4 (nbformat, metadata, cells).`,
  );
}

function requireSeen(context: EditToolContext, { path, realUri }: Place, base: TextSnapshot): void {
  if (base.text === "") return;
  const seen = context.reads.state(realUri, base.version);
  if (seen === "current" || (seen === "unread" && context.settings.current().editUnread)) return;
  if (seen === "unread") {
    throw new UserError(
      `${path} exists and you have not read it in this session. Read it first, then edit it or write it anew.`,
    );
  }
  const known = context.reads.textOf(realUri);
  throw new UserError(
    known === undefined
      ? `${path} changed since you last saw it. Read it again, then edit it or write it anew.`
      : `${path} changed since you last saw it, and writing all of it would undo that. Nothing was changed. What is new in it:\n${changesSince(known, base.text)}\nEdit it, or read it again and write it anew.`,
  );
}

/** The file's line ends stay what they are. */
function replacement(before: string, content: string): string {
  return keepLineEnds(before, keepBom(before, content));
}

function unchanged({ path }: Place): ToolOutcome {
  return { content: [{ type: "text", text: `${path} already has exactly this text. Nothing was changed.` }] };
}
