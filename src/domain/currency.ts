/**
 * How many minor units make one of a currency, as ISO 4217 says; 100 where nothing is said. The table is ours and not the
 * runtime's: what stored amounts mean must not change with its version.
 */
export const minorUnits: Readonly<Record<string, number>> = {
  ...having(1, "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF"),
  ...having(1_000, "BHD IQD JOD KWD LYD OMR TND"),
  ...having(10_000, "CLF UYW"),
};

function having(units: number, currencies: string): Record<string, number> {
  return Object.fromEntries(currencies.split(" ").map((currency) => [currency, units]));
}

/** How many minor units make one of a currency: 100 cents, 1 yen, 1000 fils. */
export const minorUnitsOf = (currency: string): number => minorUnits[currency] ?? 100;

/** How many decimals an amount of a currency has at most. */
export const decimalsOf = (currency: string): number => String(minorUnitsOf(currency)).length - 1;

/**
 * The deployment's currency. It is read from the process, which workerd and Node both have: schemas are made before the first
 * request and know no settings.
 */
export function shopCurrency(): string {
  const { CURRENCY } = process.env;
  if (!CURRENCY) throw new Error("CURRENCY is not set");
  return CURRENCY;
}
