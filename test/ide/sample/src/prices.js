// Money, in whole cents.

const symbols = { EUR: "€", USD: "$", GBP: "£" };

/** "€12.50" for 1250 cents. */
export function formatPrice(cents, currency = "EUR") {
  const sign = cents < 0 ? "-" : "";
  const amount = (Math.abs(cents) / 100).toFixed(2);
  return `${sign}${symbols[currency] ?? `${currency} `}${amount}`;
}

/** What `percent` percent of an amount are, rounded to a whole cent. */
export function percentOf(cents, percent) {
  return Math.round((cents * percent) / 100);
}
