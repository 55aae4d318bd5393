import assert from "node:assert/strict";
import test from "node:test";
import { formatPrice, percentOf } from "../src/prices.js";

test("prices are shown with their currency", () => {
  assert.equal(formatPrice(1250), "€12.50");
  assert.equal(formatPrice(-5, "USD"), "-$0.05");
});

test("percentages are rounded to whole cents", () => {
  assert.equal(percentOf(2199, 10), 220);
});
