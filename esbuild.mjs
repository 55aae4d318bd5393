// Builds the three bundles: the extension for the Node host, for the web worker host, and the panel.
// `--production` minifies, `--watch` rebuilds on change. Used by `npm run build`, `npm start` and `npm test`.
import { mkdir, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import esbuild from "esbuild";

const production = process.argv.includes("--production");
const watch = process.argv.includes("--watch");
const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));

/**
 * The Anthropic SDK verifies webhooks with a package under a licence that we do not ship (Unlicense); Reins receives
 * no webhooks.
 */
const withoutWebhooks = {
  name: "without-webhooks",
  setup(build) {
    build.onResolve({ filter: /^standardwebhooks$/ }, ({ path }) => ({
      path,
      namespace: "without-webhooks",
    }));
    build.onLoad({ filter: /.*/, namespace: "without-webhooks" }, () => ({
      contents: 'export class Webhook { constructor() { throw new Error("Reins receives no webhooks."); } }',
    }));
  },
};

const shared = {
  absWorkingDir: path("."),
  bundle: true,
  minify: production,
  sourcemap: production ? false : "linked",
  legalComments: "none",
  logLevel: "warning",
  target: "es2022",
  metafile: true,
  plugins: [withoutWebhooks],
};

const bundles = [
  {
    ...shared,
    entryPoints: ["src/extension.node.ts"],
    outfile: "dist/extension.node.cjs",
    platform: "node",
    format: "cjs",
    external: ["vscode"],
  },
  {
    ...shared,
    entryPoints: ["src/extension.web.ts"],
    outfile: "dist/extension.web.js",
    platform: "browser",
    format: "cjs",
    external: ["vscode"],
    // The host is a worker: there is no process, and libraries that ask for its environment get an empty one.
    define: { "process.env": "{}" },
  },
  {
    ...shared,
    entryPoints: ["webview/main.ts"],
    outfile: "dist/webview.js",
    platform: "browser",
    format: "esm",
    loader: { ".css": "text" },
  },
];

await mkdir(path("dist"), { recursive: true });
if (watch) {
  for (const bundle of bundles) await (await esbuild.context(bundle)).watch();
} else {
  const results = await Promise.all(bundles.map((bundle) => esbuild.build(bundle)));
  const outputs = Object.assign({}, ...results.map((result) => result.metafile.outputs));
  await writeFile(path("dist/meta.json"), JSON.stringify(outputs));
}
