import { expect, it } from "vitest";
import {
  fromDecimalText,
  fromStripeAmount,
  toPaypalAmount,
  toStripeAmount,
} from "../../../../src/checkout/payments/amounts.ts";

it.each([
  [1999, "USD", 1999],
  [1250, "JPY", 1250],
  [1990, "KWD", 1990],
  [1250, "ISK", 125_000],
  [125_000, "HUF", 125_000],
  [125_000, "MGA", 1250],
])("converts %i minor units of %s to Stripe's %i, and back", (minor, currency, amount) => {
  expect(toStripeAmount(minor, currency)).toBe(amount);
  expect(fromStripeAmount(amount, currency)).toBe(minor);
});

it.each([
  [1, "USD", "0.01"],
  [1999, "EUR", "19.99"],
  [999_999_999_99, "USD", "999999999.99"],
  [1250, "JPY", "1250"],
  [125_000, "HUF", "1250"],
])("writes %i minor units of %s for PayPal as %s, and reads them again", (minor, currency, value) => {
  expect(toPaypalAmount(minor, currency)).toEqual({ currency_code: currency, value });
  expect(fromDecimalText(value, currency)).toBe(minor);
});

it("reads every price below a thousand without a rounding error", () => {
  for (let minor = 0; minor < 100_000; minor++) expect(fromDecimalText((minor / 100).toFixed(2), "USD")).toBe(minor);
  expect([fromDecimalText("7", "USD"), fromDecimalText("7.5", "USD")]).toEqual([700, 750]);
});

it.each([
  [
    "Stripe only accepts multiples of KWD\u00a00.010, and the amount is KWD\u00a01.505",
    () => toStripeAmount(1505, "KWD"),
  ],
  [
    "PayPal only accepts multiples of HUF\u00a01.00, and the amount is HUF\u00a012.50",
    () => toPaypalAmount(1250, "HUF"),
  ],
  ["PayPal does not accept KWD", () => toPaypalAmount(1500, "KWD")],
])("refuses amounts that a provider cannot take: %s", (words, ask) => {
  expect(ask).toThrow(
    expect.objectContaining({
      fields: [
        expect.objectContaining({ field: "payment_method", message: `${words}: choose another payment method` }),
      ],
    }),
  );
});
