/** Date of the rates below. */
export const EU_RATES_AS_OF = "2026-01-01";

/** Standard and main reduced VAT rate of each member state, in percent. Null if there is none. */
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

type EuCountry = keyof typeof euRates;

const isEu = (code: string): code is EuCountry => code in euRates;

export const euCountries = Object.keys(euRates).filter(isEu);

/** Currency of each country with a preset, if not the euro: ecb.europa.eu, "Our money". */
const ownCurrencies: Readonly<Record<string, string>> = {
  CZ: "CZK",
  DK: "DKK",
  HU: "HUF",
  PL: "PLN",
  RO: "RON",
  SE: "SEK",
  US: "USD",
  GB: "GBP",
  CH: "CHF",
  CA: "CAD",
  AU: "AUD",
};

export const currencyOf = (country: string): string => ownCurrencies[country] ?? "EUR";

/** Date of the rates below. */
export const US_RATES_AS_OF = "2025-01-01";

type SalesTax = readonly [percent: number, taxesShipping: boolean];

/**
 * Sales tax of each state that is due everywhere in it, excluding cities and counties, and whether it is due on separately
 * listed shipping. Null if the state has no sales tax.
 */
export const salesTaxes = {
  AL: [4, false],
  AK: null,
  AZ: [5.6, false],
  AR: [6.5, true],
  CA: [7.25, false],
  CO: [2.9, false],
  CT: [6.35, true],
  DE: null,
  DC: [6, true],
  FL: [6, false],
  GA: [4, true],
  HI: [4, true],
  ID: [6, false],
  IL: [6.25, true],
  IN: [7, true],
  IA: [6, false],
  KS: [6.5, false],
  KY: [6, true],
  LA: [5, false],
  ME: [5.5, false],
  MD: [6, false],
  MA: [6.25, false],
  MI: [6, false],
  MN: [6.875, true],
  MS: [7, true],
  MO: [4.225, false],
  MT: null,
  NE: [5.5, true],
  NV: [6.85, false],
  NH: null,
  NJ: [6.625, true],
  NM: [4.875, true],
  NY: [4, true],
  NC: [4.75, true],
  ND: [5, true],
  OH: [5.75, true],
  OK: [4.5, false],
  OR: null,
  PA: [6, true],
  RI: [7, true],
  SC: [6, true],
  SD: [4.2, true],
  TN: [7, true],
  TX: [6.25, true],
  UT: [6.1, false],
  VT: [6, true],
  VA: [5.3, false],
  WA: [6.5, true],
  WV: [6, true],
  WI: [5, true],
  WY: [4, false],
} as const satisfies Record<string, SalesTax | null>;

type State = keyof typeof salesTaxes;

const isState = (code: string): code is State => code in salesTaxes;

export const states = Object.keys(salesTaxes).filter(isState);

/** Date of the rates below. */
export const COUNTRY_RATES_AS_OF = "2026-01-01";

/**
 * Value-added tax of countries outside the Union, in percent. Sources: gov.uk/vat-rates; Swiss VAT Act, article 25, since 2024; Canada
 * Revenue Agency, "GST/HST calculator (and rates)"; ato.gov.au, GST.
 */
export const countryRates = {
  GB: { name: "VAT", standard: 20, reduced: 5 },
  CH: { name: "VAT", standard: 8.1, reduced: 2.6 },
  CA: { name: "GST", standard: 5, reduced: null },
  AU: { name: "GST", standard: 10, reduced: null },
} as const;

export const singleCountries = ["GB", "CH", "CA", "AU"] as const satisfies (keyof typeof countryRates)[];

/** The harmonized tax of provinces that have it, which takes the place of the GST and which every registered shop charges. */
export const harmonizedRates = { NB: 15, NL: 15, NS: 14, ON: 13, PE: 15 } as const;

/** Taxes of provinces beside the GST, for shops that are registered there. Sources: Revenu Québec and the provinces' finance ministries. */
export const provincialTaxes = {
  BC: ["PST", 7],
  MB: ["RST", 7],
  QC: ["QST", 9.975],
  SK: ["PST", 6],
} as const satisfies Record<string, readonly [name: string, percent: number]>;

export const taxingProvinces = ["BC", "MB", "QC", "SK"] as const satisfies (keyof typeof provincialTaxes)[];
