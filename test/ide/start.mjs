// `npm start [folder] [--no-open] [--port N] [--fresh]`: prepares the machine, then hands over to start.ts.
import { onNode24 } from "./bootstrap.mjs";

await onNode24(import.meta.url, async () => {
  const { start } = await import("./start.ts");
  return start(process.argv.slice(2));
});
