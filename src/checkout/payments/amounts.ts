import { formatAmount } from "../../domain/money.ts";

// Inside, a hundred minor units make one of any currency. The providers count some currencies otherwise, and what they are
// sent uncorrected would be a hundredfold, or a tenth, of the price.

/** How many decimals a provider gives a currency; two, where nothing is said. */
type Decimals = Record<string, 0 | 3>;

const decimals = (digits: 0 | 3, currencies: string): Decimals =>
  Object.fromEntries(currencies.split(" ").map((currency) => [currency, digits]));

/** docs.stripe.com/currencies: ISK and UGX have none, but are sent as if they had two. */
const stripeDecimals: Decimals = {
  ...decimals(0, "BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF"),
  ...decimals(3, "BHD JOD KWD OMR TND"),
};

/** developer.paypal.com/api/codes/currency */
const paypalDecimals: Decimals = decimals(0, "HUF JPY TWD");

/** Whole units of a currency that has no smaller ones. */
function wholeUnits(minor: number, currency: string): number {
  if (minor % 100 === 0) return minor / 100;
  throw new Error(`${formatAmount(minor)} ${currency} cannot be paid: the currency has no decimals`);
}

/** Minor units as the integer that Stripe expects. */
export function toStripeAmount(minor: number, currency: string): number {
  const digits = stripeDecimals[currency];
  if (digits === 0) return wholeUnits(minor, currency);
  return digits === 3 ? minor * 10 : minor;
}

/** The way back. A part of a minor unit stays a fraction, which equals no price. */
export function fromStripeAmount(amount: number, currency: string): number {
  const digits = stripeDecimals[currency];
  if (digits === 0) return amount * 100;
  return digits === 3 ? amount / 10 : amount;
}

/** Minor units as PayPal's `{currency_code, value}`. */
export const toPaypalAmount = (minor: number, currency: string) => ({
  currency_code: currency,
  value: paypalDecimals[currency] === 0 ? String(wholeUnits(minor, currency)) : formatAmount(minor),
});

/** How PayPal writes an amount; at most 12 digits, so that minor units stay exact. */
export const DECIMAL = /^(\d{1,12})(?:\.(\d{1,2}))?$/;

/** Minor units of a text that fits `DECIMAL`, without a detour over fractions. */
export function fromDecimalText(text: string): number {
  const [, whole = "", hundredths = ""] = DECIMAL.exec(text) ?? [];
  return Number(whole + hundredths.padEnd(2, "0"));
}
