/** The day of the figures below. */
export const EU_RATES_AS_OF = "2026-01-01";

/** Standard rate and main reduced rate of value added tax of the member states, in per cent; null where there is none. */
export const euRates = {
  AT: [20, 10],
  BE: [21, 6],
  BG: [20, 9],
  CY: [19, 9],
  CZ: [21, 12],
  DE: [19, 7],
  DK: [25, null],
  EE: [24, 9],
  ES: [21, 10],
  FI: [25.5, 13.5],
  FR: [20, 5.5],
  GR: [24, 13],
  HR: [25, 13],
  HU: [27, 5],
  IE: [23, 13.5],
  IT: [22, 10],
  LT: [21, 12],
  LU: [17, 8],
  LV: [21, 12],
  MT: [18, 5],
  NL: [21, 9],
  PL: [23, 8],
  PT: [23, 6],
  RO: [21, 11],
  SE: [25, 12],
  SI: [22, 9.5],
  SK: [23, 19],
} as const satisfies Record<string, readonly [standard: number, reduced: number | null]>;

export type EuCountry = keyof typeof euRates;

const isEu = (code: string): code is EuCountry => code in euRates;

export const euCountries = Object.keys(euRates).filter(isEu);
