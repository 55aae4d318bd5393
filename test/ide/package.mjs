// `npm run package`: prepares the machine, then hands over to make-package.ts.
import { onNode24 } from "./bootstrap.mjs";

await onNode24(import.meta.url, async () => {
  const { makePackage } = await import("./make-package.ts");
  await makePackage();
});
