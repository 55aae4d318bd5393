// The web suite: the host suite's neutral tests and its own, inside the web worker extension host.
import { runExtensionTests } from "../ide/extension-tests.ts";

process.exitCode = await runExtensionTests("web");
