// The delete tool: one file, or one empty folder. The user was asked before it runs (see approvals/policy.ts).
import { Type } from "@sinclair/typebox";
import type { AgentTool } from "../../agent/types.ts";
import type { FileDetails } from "./details.ts";
import type { PathContext } from "./paths.ts";
import { locate, pathKey } from "./paths.ts";
import type { ReadRecords } from "./read-records.ts";
import { checkDelete } from "./removable.ts";
import { typedArguments } from "./tool-arguments.ts";

const parameters = Type.Object({ path: Type.String() });

export interface FileToolContext extends PathContext {
  readonly reads: ReadRecords;
}

export function createDeleteTool(context: FileToolContext): AgentTool {
  return {
    name: "delete",
    label: "Delete",
    description: "Delete a file or an empty folder.",
    parameters,
    lockKey: (args) => pathKey(args["path"], context.workspace, context.home),
    execute: async (args, { toolCallId }) => {
      const place = await locate(typedArguments(parameters, args).path, context);
      const { what, size } = await checkDelete(place, context);
      await context.files.deleteFile(place.uri, toolCallId);
      context.reads.forget(place.realUri);
      const details: FileDetails = { tool: "delete", path: place.path, gone: place.realUri };
      const told = what === "file" ? `Deleted ${place.path} (${size}).` : `Deleted the folder ${place.path}.`;
      return { content: [{ type: "text", text: told }], details };
    },
  };
}
