import assert from "node:assert/strict";
import test from "node:test";
import {
  addArticle,
  countArticles,
  describeLine,
  emptyCart,
  removeArticle,
  totalPrice,
} from "../src/cart.js";

const tea = { id: "tea", name: "Green tea", price: 450 };
const mug = { id: "mug", name: "Mug", price: 1299 };

test("an article that is added twice is in the cart twice", () => {
  const cart = addArticle(addArticle(emptyCart(), tea, 2), tea, 3);
  assert.equal(countArticles(cart), 5);
});

test("the total is the sum of all lines", () => {
  const cart = addArticle(addArticle(emptyCart(), tea, 2), mug);
  assert.equal(totalPrice(cart), 2199);
});

test("a discount is taken off in percent", () => {
  const cart = addArticle(addArticle(emptyCart(), tea, 2), mug);
  assert.equal(totalPrice(cart, 10), 1979);
});

test("a removed article no longer counts", () => {
  const cart = removeArticle(addArticle(addArticle(emptyCart(), tea), mug), "tea");
  assert.equal(countArticles(cart), 1);
});

test("a line says how much it costs", () => {
  assert.equal(describeLine({ article: tea, quantity: 2 }), "2 × Green tea  €9.00");
});
