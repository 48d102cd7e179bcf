// Locations for Durable Objects, and which one is closest to a request. Source of the hints:
// https://developers.cloudflare.com/durable-objects/reference/data-location/#provide-a-location-hint Source of the countries:
// the United Nations' M49 standard, https://unstats.un.org/unsd/methodology/m49/ (Eastern Europe with its neighbours to the
// south; Western Asia), by ISO 3166-1 code, as `request.cf.country` has it.

const hints = ["wnam", "enam", "sam", "weur", "eeur", "apac", "oc", "afr", "me"] as const;
type LocationHint = (typeof hints)[number];

/** Origin of a request: a location for Durable Objects, or `any` if unknown. */
export type LimiterRegion = LocationHint | "any";

const byContinent = new Map<string, LocationHint>([
  ...each("afr", "AF"),
  ...each("apac", "AS"),
  ...each("weur", "EU"),
  ...each("enam", "NA"),
  ...each("oc", "OC AN"),
  ...each("sam", "SA"),
]);

const byCountry = new Map<string, LocationHint>([
  ...each("eeur", "AL BA BG BY CY CZ EE FI GR HR HU LT LV MD ME MK PL RO RS RU SI SK TR UA XK"),
  ...each("me", "AE AM AZ BH GE IL IQ IR JO KW LB OM PS QA SA SY YE"),
]);

/** Data centres in western North America, by the airport code in `request.cf.colo`. */
const byColo = new Map<string, LocationHint>(
  each("wnam", "ABQ ANC BOI DEN GDL HNL LAS LAX MEX PDX PHX SAN SEA SFO SJC SLC SMF TIJ YVR YWG YXE YYC"),
);

/** The region of a request by its `cf`, which is missing outside of the platform's network. */
export function regionOf(cf: object | undefined): LimiterRegion {
  if (cf === undefined) return "any";
  const place = (name: string) => String(Reflect.get(cf, name));
  return byColo.get(place("colo")) ?? byCountry.get(place("country")) ?? byContinent.get(place("continent")) ?? "any";
}

/** Location hint for an object's first call, which creates it. */
export function locationHintOf(region: string): { locationHint?: LocationHint } {
  const locationHint = hints.find((hint) => hint === region);
  return locationHint ? { locationHint } : {};
}

function each(hint: LocationHint, codes: string): [string, LocationHint][] {
  return codes.split(" ").map((code) => [code, hint]);
}
