// Type-aware linting for every TypeScript file, and the few rules that keep the design of src/README.md.
import js from "@eslint/js";
import prettier from "eslint-config-prettier";
import tseslint from "typescript-eslint";

const typed = { languageOptions: { parserOptions: { projectService: true } } };

export default tseslint.config(
  { ignores: ["dist/", "out/", "node_modules/", "test/fixtures/", "test/ide/sample/"] },
  js.configs.recommended,
  {
    files: ["**/*.ts"],
    extends: [...tseslint.configs.recommendedTypeChecked],
    ...typed,
    rules: {
      "@typescript-eslint/consistent-type-imports": ["error", { fixStyle: "separate-type-imports" }],
      "@typescript-eslint/no-explicit-any": "error",
      "@typescript-eslint/no-floating-promises": "error",
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
      "@typescript-eslint/switch-exhaustiveness-check": [
        "error",
        { considerDefaultExhaustiveForUnions: true, allowDefaultCaseForExhaustiveSwitch: true },
      ],
      "no-restricted-imports": [
        "error",
        {
          paths: [
            { name: "@sinclair/typebox/compiler", message: "Needs eval: use @sinclair/typebox/value." },
          ],
        },
      ],
      "no-console": "error",
    },
  },
  {
    files: ["src/**/*.ts", "webview/**/*.ts"],
    rules: { "@typescript-eslint/no-non-null-assertion": "error" },
  },
  {
    // What runs in a browser's worker has neither Node's globals nor a page's. The compiler cannot tell: the SDKs'
    // declarations bring Node's types along.
    files: ["src/**/*.ts"],
    ignores: ["src/node/**", "src/extension.node.ts"],
    rules: {
      "no-restricted-globals": [
        "error",
        ...["process", "Buffer", "global", "require", "module", "__dirname", "__filename", "setImmediate"],
        ...["window", "document", "localStorage", "location"],
      ],
    },
  },
  {
    files: ["test/**/*.ts"],
    rules: { "no-console": "off", "@typescript-eslint/no-non-null-assertion": "off" },
  },
  {
    files: ["**/*.mjs"],
    languageOptions: {
      globals: {
        process: "readonly",
        console: "readonly",
        URL: "readonly",
        Buffer: "readonly",
        setTimeout: "readonly",
        clearTimeout: "readonly",
        setInterval: "readonly",
        clearInterval: "readonly",
        fetch: "readonly",
        AbortController: "readonly",
        AbortSignal: "readonly",
        performance: "readonly",
      },
    },
  },
  prettier,
);
