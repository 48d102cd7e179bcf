import { badRequest, fieldError } from "../../domain/errors.ts";
import { formatAmount, formatMoney, minorUnitsOf } from "../../domain/money.ts";

// Stripe and PayPal use other decimals than ISO 4217 for some currencies. Without conversion, a charge would be a hundred
// times or a tenth of the price.

/** The provider's units per unit of a currency, and the step that amounts must be a multiple of. */
type CurrencyUnits = { units: number; step: number };

const counted = (counting: CurrencyUnits, currencies: string): Record<string, CurrencyUnits> =>
  Object.fromEntries(currencies.split(" ").map((currency) => [currency, counting]));

const WHOLE: CurrencyUnits = { units: 1, step: 1 };
const HUNDREDTHS: CurrencyUnits = { units: 100, step: 1 };

/**
 * docs.stripe.com/currencies: ISK and UGX are sent with two decimals that must be 0. Of three decimals, the last must be 0.
 */
const stripeCounting: Record<string, CurrencyUnits> = {
  ...counted(WHOLE, "BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF"),
  ...counted({ units: 100, step: 100 }, "ISK UGX"),
  ...counted({ units: 1_000, step: 10 }, "BHD JOD KWD OMR TND"),
};

/** Currencies that PayPal supports, see developer.paypal.com/api/rest/reference/currency-codes. */
const paypalCounting: Record<string, CurrencyUnits> = {
  ...counted(HUNDREDTHS, "AUD BRL CAD CHF CNY CZK DKK EUR GBP HKD ILS MXN MYR NOK NZD PHP PLN SEK SGD THB USD"),
  ...counted(WHOLE, "HUF JPY TWD"),
};

/** Step that amounts at the provider must be a multiple of, in minor units. */
const stepOf = ({ units, step }: CurrencyUnits, currency: string): number => (step * minorUnitsOf(currency)) / units;

/** Converts an amount to the provider's units. Throws if the provider cannot take it, as another payment method may. */
function unitsOf(minor: number, currency: string, counting: CurrencyUnits | undefined, provider: string): number {
  if (!counting) throw notTaken(`${provider} does not accept ${currency}`);
  const step = stepOf(counting, currency);
  if (minor % step === 0) return (minor * counting.units) / minorUnitsOf(currency);
  const [multiple, amount] = [formatMoney(step, currency), formatMoney(minor, currency)];
  throw notTaken(`${provider} only accepts multiples of ${multiple}, and the amount is ${amount}`);
}

const notTaken = (words: string) =>
  badRequest(fieldError("payment_method", "not_applicable", `${words}: choose another payment method`));

const stripeCountingOf = (currency: string): CurrencyUnits => stripeCounting[currency] ?? HUNDREDTHS;

/** Throws for a refund amount that Stripe could never pay. PayPal accepts any amount in the currencies it supports. */
export function requireRefundPayable(provider: string, minor: number, currency: string): void {
  const step = provider === "stripe" ? stepOf(stripeCountingOf(currency), currency) : 1;
  if (minor % step === 0) return;
  const words = `Stripe only refunds multiples of ${formatMoney(step, currency)}, and the amount is ${formatMoney(minor, currency)}`;
  throw badRequest(fieldError("amount", "too_precise", `${words}: choose another amount`));
}

/** Converts minor units to the integer that Stripe expects. */
export const toStripeAmount = (minor: number, currency: string): number =>
  unitsOf(minor, currency, stripeCountingOf(currency), "Stripe");

/** Converts a Stripe amount to minor units. Fractions are kept, so that they equal no price. */
export const fromStripeAmount = (amount: number, currency: string): number =>
  (amount * minorUnitsOf(currency)) / stripeCountingOf(currency).units;

/** Converts minor units to PayPal's `{currency_code, value}`. */
export const toPaypalAmount = (minor: number, currency: string) => {
  const units = unitsOf(minor, currency, paypalCounting[currency], "PayPal");
  return {
    currency_code: currency,
    value: paypalCounting[currency] === WHOLE ? String(units) : formatAmount(minor, currency),
  };
};

/** PayPal's amount format, limited to 12 digits so that minor units stay exact. */
export const DECIMAL = /^(\d{1,12})(?:\.(\d{1,2}))?$/;

/** Converts a text that matches `DECIMAL` to minor units. Fractions are kept, so that they equal no price. */
export function fromDecimalText(text: string, currency: string): number {
  const [, whole = "", hundredths = ""] = DECIMAL.exec(text) ?? [];
  return (Number(whole + hundredths.padEnd(2, "0")) * minorUnitsOf(currency)) / 100;
}
