// JSON without lone surrogates: strict APIs refuse a whole conversation because of one.
import type { Json, JsonObject } from "../shared/json.ts";

export function wellFormedJson(value: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key.toWellFormed(), wellFormedItem(item)]),
  );
}

function wellFormedItem(item: Json): Json {
  if (typeof item === "string") return item.toWellFormed();
  if (Array.isArray(item)) return item.map((inner: Json) => wellFormedItem(inner));
  // `isArray` does not narrow readonly arrays away; what is left of the union is an object.
  return typeof item === "object" && item !== null ? wellFormedJson(item as JsonObject) : item;
}

/** Whether nothing in it would have to be replaced. */
export function isWellFormedJson(value: Json): boolean {
  if (typeof value === "string") return value.isWellFormed();
  if (typeof value !== "object" || value === null) return true;
  return Object.entries(value).every(
    ([key, item]: [string, Json]) => key.isWellFormed() && isWellFormedJson(item),
  );
}
