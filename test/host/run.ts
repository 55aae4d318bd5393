// The host suite: tests inside VS Code's Node extension host.
import { runExtensionTests } from "../ide/extension-tests.ts";

process.exitCode = await runExtensionTests("node");
