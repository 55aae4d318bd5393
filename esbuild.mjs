// Builds the bundles: the extension for the Node host with the SDKs beside it, for the web worker host, and the panel.
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

/**
 * The SDKs are two thirds of the code, and are needed with the first request only: in the Node host they stay in files of
 * their own, which are read then. The web worker host loads one file and nothing else.
 */
const sdks = { "@anthropic-ai/sdk": "anthropic-sdk.cjs", openai: "openai-sdk.cjs" };
const withoutSdks = {
  name: "without-sdks",
  setup(build) {
    build.onResolve({ filter: /^(@anthropic-ai\/sdk|openai)$/ }, ({ path }) => ({
      path: `./${sdks[path]}`,
      external: true,
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
    plugins: [withoutSdks],
  },
  ...Object.entries(sdks).map(([name, file]) => ({
    ...shared,
    entryPoints: [name],
    outfile: `dist/${file}`,
    platform: "node",
    format: "cjs",
    // The default export alone is used, and who requires a file gets what it exports as that.
    footer: { js: "module.exports = module.exports.default;" },
  })),
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
