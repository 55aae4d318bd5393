// `reins.providers`: what the reader says and what the schema in package.json says to who edits settings.json must be
// the same. Random settings are judged by both.
import assert from "node:assert/strict";
import Ajv from "ajv";
import fc from "fast-check";
import { catalogue } from "../../../src/ai/catalogue.ts";
import { resolveProviders } from "../../../src/ai/models.ts";
import { isJsonObject } from "../../../src/shared/json.ts";
import { runs } from "../../support/properties.ts";
import { readText } from "../../support/repository-files.ts";

type Schema = Record<string, unknown>;

const manifest = JSON.parse(readText("package.json")) as {
  contributes: { configuration: { properties: Record<string, Schema> } };
};
const schema = manifest.contributes.configuration.properties["reins.providers"] ?? {};
// What VS Code adds to JSON Schema.
const ajv = new Ajv({ unknownFormats: "ignore", allErrors: false });
const accepts = ajv.compile(schema);

const problemsOf = (setting: unknown) => resolveProviders(setting).problems;

/** Values of a schema, mostly right, sometimes of another kind. */
function valuesOf(rules: Schema): fc.Arbitrary<unknown> {
  return fc.oneof({ arbitrary: rightValues(rules), weight: 12 }, { arbitrary: oddValues, weight: 1 });
}

const oddValues: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    0,
    -1,
    1.5,
    1e12,
    "",
    "text",
    "a b",
    "minimal",
    [],
    ["text", "text"],
    {},
  ),
  fc.constantFrom<unknown>(
    "http://x/v1",
    "http://x/v1?a=b",
    "https://x/v1/chat/completions/",
    "ftp://x",
    "http:///",
  ),
  fc.constantFrom<unknown>(
    { unknown: 1 },
    { id: "x" },
    [{}],
    ["image"],
    { "x-a": "b" },
    { "bad name": "x" },
    { a: "\n" },
  ),
);

function rightValues(rules: Schema): fc.Arbitrary<unknown> {
  const { type, properties, items } = rules;
  if (Array.isArray(rules["enum"])) return fc.constantFrom(...(rules["enum"] as unknown[]));
  if (isJsonObject(properties)) return objectsOf(properties, rules["required"]);
  if (isJsonObject(items))
    return rules["uniqueItems"] === true
      ? fc.uniqueArray(valuesOf(items), { minLength: 1, maxLength: 3 })
      : fc.array(valuesOf(items), { maxLength: 2 });
  if (isJsonObject(rules["additionalProperties"]))
    return fc.dictionary(fc.constantFrom("x-team", "a", "bad name"), valuesOf({ type: "string" }), {
      maxKeys: 2,
    });
  if (type === "boolean") return fc.boolean();
  if (type === "integer") return fc.integer({ min: 1, max: 1_000_000 });
  if (type === "number") return fc.constantFrom(1, 2.5, 60);
  if (String(rules["pattern"]).includes("chat/completions"))
    return fc.constantFrom("http://localhost:1/v1", "https://x.example/openai/v1/", "HTTP://host");
  return fc.constantFrom("x-session", "word", "1");
}

function objectsOf(properties: Schema, required: unknown): fc.Arbitrary<unknown> {
  const fields = Object.fromEntries(
    Object.entries(properties).map(([name, rules]) => [name, valuesOf(rules as Schema)]),
  );
  const needed = Array.isArray(required) ? (required as string[]) : [];
  const whole = fc.record(fields, { requiredKeys: needed });
  const lacking = fc.record(fields, { requiredKeys: [] });
  const extended = whole.map((value) => ({ ...value, extra: 1 }));
  return fc.oneof(
    { arbitrary: whole, weight: 12 },
    { arbitrary: lacking, weight: 1 },
    { arbitrary: extended, weight: 1 },
  );
}

const [providerRules] = Object.values((schema["patternProperties"] ?? {}) as Record<string, Schema>);
const settings = fc.dictionary(
  fc.constantFrom("anthropic", "azure", "mine", "ollama", "a/b"),
  valuesOf(providerRules ?? {}),
  { maxKeys: 2 },
);

describe("the setting reins.providers", () => {
  it("is judged the same by its schema and by its reader", () => {
    const verdicts = { right: 0, wrong: 0 };
    fc.assert(
      fc.property(settings, (setting) => {
        const problems = problemsOf(setting);
        const right = accepts(setting) === true;
        verdicts[right ? "right" : "wrong"] += 1;
        assert.equal(
          problems.length === 0,
          right,
          `${problems.join("\n")} / ${ajv.errorsText(accepts.errors)}`,
        );
      }),
      { numRuns: runs(1_000) },
    );
    assert.ok(verdicts.right > 200 && verdicts.wrong > 200, JSON.stringify(verdicts));
  });

  it("has every field of the schema in the reader, and the other way round", () => {
    const named = (text: string | undefined) =>
      /known are (.*)\.$/
        .exec(text ?? "")?.[1]
        ?.split(", ")
        .sort();
    const fieldsOf = (rules: unknown) => Object.keys((rules as Schema)["properties"] as Schema).sort();
    const at = (...path: string[]) =>
      path.reduce<unknown>((rules, key) => (rules as Schema)[key], providerRules);
    const [provider, compat, model, effort, price, long] = [
      { extra: 1 },
      { compat: { extra: 1 } },
      { models: [{ id: "m", extra: 1 }] },
      { models: [{ id: "m", thinkingEfforts: { extra: "x" } }] },
      { models: [{ id: "m", price: { input: 1, output: 1, extra: 1 } }] },
      {
        models: [
          {
            id: "m",
            price: { input: 1, output: 1, longContext: { above: 1, input: 1, output: 1, extra: 1 } },
          },
        ],
      },
    ].map((value) => named(problemsOf({ openai: value })[0]));
    const ofModel = ["properties", "models", "items"];
    assert.deepEqual(provider, fieldsOf(providerRules));
    assert.deepEqual(compat, fieldsOf(at("properties", "compat")));
    assert.deepEqual(compat, fieldsOf(at(...ofModel, "properties", "compat")));
    assert.deepEqual(model, fieldsOf(at(...ofModel)));
    assert.deepEqual(effort, fieldsOf(at(...ofModel, "properties", "thinkingEfforts")));
    assert.deepEqual(price, fieldsOf(at(...ofModel, "properties", "price")));
    assert.deepEqual(long, fieldsOf(at(...ofModel, "properties", "price", "properties", "longContext")));
  });

  it("asks for an address exactly where the catalogue has none", () => {
    for (const { id, baseUrl } of catalogue)
      assert.equal(accepts({ [id]: {} }), baseUrl !== undefined, `${id}: schema`);
    for (const { id, baseUrl } of catalogue)
      assert.equal(problemsOf({ [id]: {} }).length === 0, baseUrl !== undefined, `${id}: reader`);
  });

  it("says what an address that was copied from elsewhere must be", () => {
    const problem = (baseUrl: string) => problemsOf({ azure: { baseUrl } })[0];
    assert.match(
      problem("https://r.openai.azure.com/openai/deployments/d/chat/completions") ?? "",
      /^reins\.providers\.azure\.baseUrl must be the address without \/chat\/completions\.$/,
    );
    assert.match(
      problem("https://r.openai.azure.com/openai/v1?api-version=preview") ?? "",
      /goes into query/,
    );
    assert.equal(problem("https://r.openai.azure.com/openai/v1"), undefined);
  });

  it("keeps everything that is right beside what is wrong", () => {
    const { models, problems } = resolveProviders({
      mine: {
        baseUrl: "http://localhost:1/v1",
        query: { "api-version": "1", wrong: 2 },
        keyHeader: "api-key",
        idleTimeoutSeconds: -1,
        models: [
          {
            id: "m",
            thinkingEfforts: { off: "none", high: 3, max: null },
            price: { input: 1, output: 2, longContext: { above: 10, input: 2 } },
          },
        ],
      },
    });
    const model = models.find(({ provider }) => provider === "mine");
    assert.deepEqual(model?.query, { "api-version": "1" });
    assert.equal(model?.keyHeader, "api-key");
    assert.deepEqual(model?.thinkingEfforts, { off: "none", max: null });
    assert.deepEqual(model?.price, { input: 1, output: 2, cacheRead: 1, cacheWrite: 1 });
    assert.deepEqual(
      problems.map((problem) => problem.slice("reins.providers.mine.".length).split(" ")[0]).sort(),
      [
        "idleTimeoutSeconds",
        "models[0].price.longContext.output",
        "models[0].thinkingEfforts.high",
        "query.wrong",
      ],
    );
  });
});
