import { expect, it } from "vitest";
import {
  fromDecimalText,
  fromStripeAmount,
  toPaypalAmount,
  toStripeAmount,
} from "../../../../src/checkout/payments/amounts.ts";

it.each([
  [1999, "USD", 1999],
  [125_000, "JPY", 1250],
  [1999, "KWD", 19_990],
  [125_000, "ISK", 125_000],
  [125_000, "HUF", 125_000],
])("counts %i minor units of %s as Stripe's %i, and back", (minor, currency, amount) => {
  expect(toStripeAmount(minor, currency)).toBe(amount);
  expect(fromStripeAmount(amount, currency)).toBe(minor);
});

it.each([
  [1, "USD", "0.01"],
  [1999, "EUR", "19.99"],
  [999_999_999_99, "USD", "999999999.99"],
  [125_000, "JPY", "1250"],
  [125_000, "HUF", "1250"],
])("writes %i minor units of %s for PayPal as %s, and reads them again", (minor, currency, value) => {
  expect(toPaypalAmount(minor, currency)).toEqual({ currency_code: currency, value });
  expect(fromDecimalText(value)).toBe(minor);
});

it("reads every price below a thousand without a rounding error", () => {
  for (let minor = 0; minor < 100_000; minor++) expect(fromDecimalText((minor / 100).toFixed(2))).toBe(minor);
  expect([fromDecimalText("7"), fromDecimalText("7.5")]).toEqual([700, 750]);
});

it("asks nobody for a fraction of a currency that has none", () => {
  const words = "12.50 JPY cannot be paid: the currency has no decimals";
  expect(() => toStripeAmount(1250, "JPY")).toThrow(words);
  expect(() => toPaypalAmount(1250, "JPY")).toThrow(words);
});
