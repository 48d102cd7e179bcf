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

/**
 * The deployment's currency. It comes from `process.env`, which workerd and Node both have, because schemas are built before the
 * first request and have no settings.
 */
export function shopCurrency(): string {
  const { CURRENCY } = process.env;
  if (!CURRENCY) throw new Error("CURRENCY is not set");
  return CURRENCY;
}
