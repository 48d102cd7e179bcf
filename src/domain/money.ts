import * as z from "zod";
import { coded, documented, unlessMissing } from "./fields.ts";
import { storedAsNumber } from "./record.ts";
import { beginningOf } from "./text.ts";

/**
 * Minor units per unit for currencies that do not have 100 (ISO 4217). The table does not come from `Intl`, because the
 * meaning of stored amounts must not change with the runtime's version.
 */
export const minorUnits: Readonly<Record<string, number>> = {
  ...having(1, "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF"),
  ...having(1_000, "BHD IQD JOD KWD LYD OMR TND"),
  ...having(10_000, "CLF UYW"),
};

function having(units: number, currencies: string): Record<string, number> {
  return Object.fromEntries(currencies.split(" ").map((currency) => [currency, units]));
}

/** Minor units per unit of a currency: 100 for USD, 1 for JPY, 1000 for KWD. */
export const minorUnitsOf = (currency: string): number => minorUnits[currency] ?? 100;

/** Maximum number of decimals of an amount in a currency. */
export const decimalsOf = (currency: string): number => String(minorUnitsOf(currency)).length - 1;

/** Currencies that are legal tender today: ISO 4217, list one, without funds, metals and units of account. */
export const currencies: readonly string[] = `
  AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CLP CNY COP
  CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR
  IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU
  MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG
  SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD UYU UZS VES VND VUV WST
  XAF XCD XCG XOF XPF YER ZAR ZMW ZWG
`
  .trim()
  .split(/\s+/);

/** A currency code in either case. */
export const Currency = z
  .string()
  .trim()
  .toUpperCase()
  .refine((code) => currencies.includes(code), {
    error: ({ input }) => `“${beginningOf(String(input), 40)}” is not a currency code, such as EUR`,
  })
  .describe("ISO 4217. Cannot change while anything has a price");

let chosen: string | null = null;

/**
 * The shop's currency: the one in its settings, or the deployment's `CURRENCY` until one is saved. It belongs to the isolate
 * rather than the request, because schemas are built before the first request. `openDatabase` reads it.
 */
export function shopCurrency(): string {
  const currency = chosen ?? process.env.CURRENCY;
  if (!currency) throw new Error("CURRENCY is not set");
  return currency;
}

/** Null for the deployment's `CURRENCY`. */
export function rememberCurrency(currency: string | null): void {
  chosen = currency;
}

/** Runs a function without `await` in another currency, such as that of a form which chooses it. */
export function inCurrency<Result>(currency: string, run: () => Result): Result {
  const before = chosen;
  chosen = currency;
  try {
    return run();
  } finally {
    chosen = before;
  }
}

// Money is stored as an integer in the currency's minor units: cents, yen, fils. In JSON it is a number with at most the
// currency's decimals. Amounts are in the shop's currency unless a function takes another one.

/** 9,999,999.99 dollars. A hundred lines of ten thousand such units still add up to a safe integer. */
export const MAX_MINOR = 999_999_999;

export const toDecimal = (minor: number, currency = shopCurrency()): number => minor / minorUnitsOf(currency);

/**
 * Money in JSON, in the shop's currency. The JSON Schema is a plain number: with a `multipleOf` of 0.01, which no
 * binary float is, validators refuse amounts such as 0.07.
 */
export const Money = z.number().register(storedAsNumber, { show: (minor) => toDecimal(minor) });

export const toDecimalOrNull = (minor: number | null, currency = shopCurrency()): number | null =>
  minor === null ? null : toDecimal(minor, currency);

/** Converts an amount to minor units. Extra decimals are rounded. */
export const toMinor = (amount: number, currency = shopCurrency()): number =>
  Math.round(amount * minorUnitsOf(currency));

/** An amount without its currency, such as "12.50". */
export const formatAmount = (minor: number, currency = shopCurrency()): string =>
  toDecimal(minor, currency).toFixed(decimalsOf(currency));

/** Options of `Intl.NumberFormat` that show all decimals of a currency. */
const currencyFormat = (currency: string): Intl.NumberFormatOptions => ({
  style: "currency",
  currency,
  minimumFractionDigits: decimalsOf(currency),
  maximumFractionDigits: decimalsOf(currency),
  // Avoids "-$0.00".
  signDisplay: "negative",
});

/** An amount of minor units with its currency: $1,234.50. */
export const formatMoney = (minor: number, currency: string, locale = "en"): string =>
  new Intl.NumberFormat(locale, currencyFormat(currency)).format(toDecimal(minor, currency));

function precisionWords(): string {
  const decimals = decimalsOf(shopCurrency());
  if (decimals === 0) return "must have no decimals";
  return `must have at most ${["", "one", "two", "three", "four"][decimals]} decimals`;
}

/**
 * Limits and decimals are checked here rather than in the JSON Schema, so that the OpenAPI document is the same for
 * every currency.
 */
const amountFrom = (least: number, words: () => string) =>
  z.number(unlessMissing("must be a number")).transform((amount, context) => {
    const refuse = (issue: z.core.$ZodRawIssue): never => {
      context.issues.push(issue);
      return z.NEVER;
    };
    const bounded = { origin: "number", inclusive: true, input: amount } as const;
    const [minimum, maximum] = [toDecimal(least), toDecimal(MAX_MINOR)];
    if (amount > maximum) {
      return refuse({ ...bounded, code: "too_big", maximum, message: `must be at most ${formatAmount(MAX_MINOR)}` });
    }
    const minor = toMinor(amount);
    if (toDecimal(minor) !== amount) {
      return refuse({ code: "custom", input: amount, message: precisionWords(), ...coded("too_precise") });
    }
    if (minor < least) return refuse({ ...bounded, code: "too_small", minimum, message: words() });
    return minor;
  });

/** A price in JSON, read as minor units. */
export const Price = amountFrom(0, () => "must not be negative").meta(documented({ minimum: 0 }));

/** A payment or refund, read as minor units. */
export const Amount = amountFrom(1, () => "must be more than 0").meta(documented({ exclusiveMinimum: 0 }));

/** A change of a balance, read as minor units. Negative for a debit. */
export const Movement = amountFrom(-MAX_MINOR, () => `must be at least ${formatAmount(-MAX_MINOR)}`).refine(
  (amount) => amount !== 0,
  "must not be 0",
);

const priceWords = () => `must be a price such as ${formatAmount(1250)}`;

/** A price in a query, where every value is a string, read as minor units. */
export const PriceText = z
  .string({ error: priceWords })
  .regex(/^\d{1,9}(\.\d{1,20})?$/, { error: priceWords, abort: true })
  .transform(Number)
  .pipe(Price)
  .meta(documented({ type: "number", minimum: 0 }));
