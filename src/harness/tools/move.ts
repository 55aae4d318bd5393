// The move tool: one file to another path, its content as it is. The user was asked before it runs (see
// approvals/policy.ts).
import { Type } from "@sinclair/typebox";
import type { AgentTool, ToolOutcome } from "../../agent/types.ts";
import type { FileToolContext } from "./delete.ts";
import type { FileDetails } from "./details.ts";
import type { Place } from "./paths.ts";
import { describePlace, locate, pathKey } from "./paths.ts";
import { checkMove } from "./removable.ts";
import { typedArguments } from "./tool-arguments.ts";

const parameters = Type.Object({ from: Type.String(), to: Type.String() });

export function createMoveTool(context: FileToolContext): AgentTool {
  return {
    name: "move",
    label: "Move",
    description: "Move or rename a file.",
    parameters,
    lockKey: (args) => pathKey(args["from"], context.workspace, context.home),
    execute: async (args, { toolCallId }) => {
      const { from, to } = typedArguments(parameters, args);
      const source = await locate(from, context);
      const target = await locate(to, context);
      await checkMove(source, target, context);
      await context.files.renameFile(source.uri, target.uri, toolCallId);
      return moved(context, source, await describePlace(target.uri, context));
    },
  };
}

/** What the model knew of the file it knows of it at its new place. */
function moved({ reads }: FileToolContext, source: Place, target: Place): ToolOutcome {
  const seen = reads.follow(source.realUri, target.realUri);
  const details: FileDetails = {
    ...{ tool: "move", path: source.path, to: target.path, uri: target.uri, gone: source.realUri },
    ...(seen && {
      seen: { realUri: target.realUri, ...(seen.version !== undefined && { version: seen.version }) },
    }),
  };
  const text = `Moved ${source.path} to ${target.path}. Whatever names the old path (imports, for example) is not changed by that: find and edit it.`;
  return { content: [{ type: "text", text }], details };
}
