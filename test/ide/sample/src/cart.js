// A shopping cart: a list of lines, each an article with its price in cents and a quantity.
import { formatPrice } from "./prices.js";

export function emptyCart() {
  return { lines: [] };
}

/** Adds an article. If the cart has it already, its quantity grows. */
export function addArticle(cart, article, quantity = 1) {
  const line = cart.lines.find((each) => each.article.id === article.id);
  if (line) line.quantity = quantity;
  else cart.lines.push({ article, quantity });
  return cart;
}

/** Takes an article out of the cart, however many of it there are. */
export function removeArticle(cart, id) {
  cart.lines = cart.lines.filter((line) => line.article.id !== id);
  return cart;
}

/** How many things are in the cart. */
export function countArticles(cart) {
  return cart.lines.reduce((count, line) => count + line.quantity, 0);
}

/** The sum of all lines in cents, less a discount in percent. */
export function totalPrice(cart, discountPercent = 0) {
  const sum = cart.lines.reduce((cents, line) => cents + line.article.price * line.quantity, 0);
  return sum - discountPercent;
}

/** One line for the receipt. */
export function describeLine({ article, quantity }) {
  return `${quantity} × ${article.name}  ${formatPrice(article.price * quantity)}`;
}
