import { type SQL, sql } from "drizzle-orm";
import { conflict } from "../../domain/errors.ts";
import { shopCurrency, toDecimal } from "../../domain/money.ts";
import { Rate, toPercent } from "../../domain/percent.ts";
import { countryName } from "../../domain/place.ts";
import { auditEntry } from "../../platform/audit/audit.ts";
import type { WriteContext } from "../../platform/auth/caller.ts";
import { type Database, requireFirst, requireRow } from "../../platform/db/client.ts";
import { shippingMethods, shippingZones, shop, taxRates } from "../../platform/db/schema.ts";
import { insertSelected, precondition, translateViolations, versionAfter } from "../../platform/db/statements.ts";
import { writeOnce } from "../../platform/idempotency/claims.ts";
import { currencyRefusals, storedCurrency } from "../shop/public.ts";
import {
  COUNTRY_RATES_AS_OF,
  countryRates,
  EU_RATES_AS_OF,
  euCountries,
  euRates,
  harmonizedRates,
  provincialTaxes,
  salesTaxes,
  states,
  US_RATES_AS_OF,
} from "./rates.ts";
import type { CountryPreset, EuPreset, ShownPlan, UsPreset } from "./schemas.ts";

type PlannedZone = Pick<typeof shippingZones.$inferInsert, "name" | "places" | "restOfWorld"> & {
  /** Shipping price in minor units. */
  price: number;
};

type PlannedRate = Pick<
  typeof taxRates.$inferSelect,
  "name" | "country" | "region" | "taxClass" | "rate" | "taxesShipping"
>;

/** Everything that a preset writes. */
export type PresetPlan = {
  preset: "eu" | "us" | "country";
  asOf: string;
  /** ISO 4217, if the preset chooses it. Prices are in its minor units. */
  currency?: string;
  shop: Pick<typeof shop.$inferSelect, "homeCountry" | "homeRegion" | "pricesIncludeTax">;
  zones: PlannedZone[];
  rates: PlannedRate[];
};

/** Name of the only method that each zone of a preset gets. */
export const METHOD = "Standard";

/** Returns a zone if it has a price. Without one, it gets no shipping. */
const zoneAt = (price: number | null, zone: Omit<PlannedZone, "price">): PlannedZone[] =>
  price === null ? [] : [{ ...zone, price }];

const restOfWorld = (price: number | null): PlannedZone[] =>
  zoneAt(price, { name: "Rest of the world", places: [], restOfWorld: true });

const toPlan = ({ preset, asOf, shop, zones, rates, currency = shopCurrency() }: PresetPlan): ShownPlan => ({
  preset,
  figures_as_of: asOf,
  currency,
  home_country: shop.homeCountry,
  home_region: shop.homeRegion,
  prices_include_tax: shop.pricesIncludeTax,
  shipping_zones: zones.map(({ name, places, restOfWorld: rest, price }) => ({
    name,
    places,
    rest_of_world: rest,
    method: { name: METHOD, price: toDecimal(price, currency) },
  })),
  tax_rates: rates.map(({ name, country, region, taxClass, rate, taxesShipping }) => ({
    name,
    country,
    region,
    tax_class: taxClass,
    rate: toPercent(rate),
    taxes_shipping: taxesShipping,
  })),
});

const NAME = "VAT";

/**
 * A shop in the European Union: prices include tax, and each member state has its rates. A shop below the Union's
 * threshold gets only the rates of its home, which apply to every member state without a rate.
 */
export function euPlan({ home_country, vat, shipping_prices: { home, eu, world } }: EuPreset): PresetPlan {
  const others = euCountries.filter((country) => country !== home_country);
  return {
    preset: "eu",
    asOf: EU_RATES_AS_OF,
    shop: { homeCountry: home_country, homeRegion: null, pricesIncludeTax: true },
    zones: [
      ...zoneAt(home, { name: "Home", places: [{ country: home_country, region: null }], restOfWorld: false }),
      ...zoneAt(eu, {
        name: "European Union",
        places: others.map((country) => ({ country, region: null })),
        restOfWorld: false,
      }),
      ...restOfWorld(world),
    ],
    rates: (vat === "home" ? [home_country] : euCountries).flatMap((country) => {
      const [standard, reduced] = euRates[country];
      const rate = { name: NAME, country, region: null, taxesShipping: true };
      return [
        { ...rate, taxClass: "standard" as const, rate: Rate.parse(standard) },
        ...(reduced === null ? [] : [{ ...rate, taxClass: "reduced" as const, rate: Rate.parse(reduced) }]),
      ];
    }),
  };
}

const COUNTRY = "US";

/** A shop in the United States: tax is added to prices, in the states where the merchant has to collect it. */
export function usPlan({ home_region, states: chosen, shipping_prices: { home, world } }: UsPreset): PresetPlan {
  return {
    preset: "us",
    asOf: US_RATES_AS_OF,
    shop: { homeCountry: COUNTRY, homeRegion: home_region, pricesIncludeTax: false },
    zones: [
      ...zoneAt(home, { name: "United States", places: [{ country: COUNTRY, region: null }], restOfWorld: false }),
      ...restOfWorld(world),
    ],
    rates: states
      .filter((state) => state === home_region || chosen.includes(state))
      .flatMap((region) => {
        const tax = salesTaxes[region];
        if (tax === null) return [];
        const [percent, taxesShipping] = tax;
        const rate = Rate.parse(percent);
        return [{ name: "Sales tax", country: COUNTRY, region, taxClass: "standard", rate, taxesShipping }];
      }),
  };
}

/** A shop in one country with a tax of the whole country, and in Canada those of provinces. Only Canada adds tax to prices. */
export function countryPlan({ home_country, provinces, shipping_prices: { home, world } }: CountryPreset): PresetPlan {
  const { name, standard, reduced } = countryRates[home_country];
  const rateOf = (name: string, percent: number, region: string | null = null) => ({
    name,
    country: home_country,
    region,
    taxClass: "standard" as const,
    rate: Rate.parse(percent),
    taxesShipping: true,
  });
  const harmonized = Object.entries(harmonizedRates).map(([region, percent]) => rateOf("HST", percent, region));
  // The rates of a region replace the country's, so it needs both.
  const provincial = provinces.flatMap((region) => {
    const [ofProvince, percent] = provincialTaxes[region];
    return [rateOf(name, standard, region), rateOf(ofProvince, percent, region)];
  });
  return {
    preset: "country",
    asOf: COUNTRY_RATES_AS_OF,
    shop: { homeCountry: home_country, homeRegion: null, pricesIncludeTax: home_country !== "CA" },
    zones: [
      ...zoneAt(home, {
        name: countryName(home_country),
        places: [{ country: home_country, region: null }],
        restOfWorld: false,
      }),
      ...restOfWorld(world),
    ],
    rates: [
      rateOf(name, standard),
      ...(reduced === null ? [] : [{ ...rateOf(name, reduced), taxClass: "reduced" as const }]),
      ...(home_country === "CA" ? [...harmonized, ...provincial] : []),
    ],
  };
}

/** True if there are shipping zones or tax rates. */
export const isSetUp = sql`(EXISTS (SELECT 1 FROM ${shippingZones}) OR EXISTS (SELECT 1 FROM ${taxRates}))`;

/** True if there are zones or rates: a preset adds nothing to them. */
export const readIsSetUp = async (db: Database): Promise<boolean> => {
  const { answer } = requireFirst(await db.all<{ answer: number }>(sql`SELECT ${isSetUp} AS answer`));
  return answer === 1;
};

/** Writes the whole plan, or nothing if zones or rates already exist. */
export async function insertPlan(
  ctx: Pick<WriteContext, "db" | "settings" | "author">,
  plan: PresetPlan,
): Promise<ShownPlan> {
  const shown = toPlan(plan);
  const writes = [
    precondition(sql`NOT ${isSetUp}`),
    upsertShop(ctx, plan),
    ...insertZones(ctx, plan),
    insertRates(ctx, plan),
    auditEntry(ctx, { action: "set_up", subject: "shop", id: 1, after: shown }),
  ];
  const written = writeOnce<ShownPlan>(ctx, { writes, answer: sql`json(${JSON.stringify(shown)})` });
  return requireRow(await translateViolations(written, { row_changed: alreadySetUp, ...currencyRefusals(ctx.db) }));
}

const alreadySetUp = () =>
  conflict("already_set_up", "Shipping zones or tax rates already exist. Delete them first, or add to them manually");

function upsertShop(
  { db, settings, author: { now } }: Pick<WriteContext, "db" | "settings" | "author">,
  { shop: location, currency = shopCurrency() }: PresetPlan,
): SQL {
  const name = settings.email.shopName;
  const chosen = { ...location, currency: storedCurrency(currency) };
  return db
    .insert(shop)
    .values({ id: 1, name, ...chosen, createdAt: now, updatedAt: now })
    .onConflictDoUpdate({ target: shop.id, set: { ...chosen, updatedAt: versionAfter(now) } })
    .getSQL();
}

/** Each zone and its method. Zone names are unique in a plan, and the shop has no other zones. */
function insertZones({ author: { now } }: Pick<WriteContext, "author">, { zones }: PresetPlan): SQL[] {
  const written = { createdAt: now, updatedAt: now };
  const planned = sql`FROM json_each(${JSON.stringify(zones)}) AS planned`;
  const zone = {
    name: sql`planned.value ->> 'name'`,
    places: sql`planned.value -> 'places'`,
    restOfWorld: sql`planned.value ->> 'restOfWorld'`,
  };
  const price = sql`planned.value ->> 'price'`;
  const method = { zoneId: shippingZones.id, name: METHOD, kind: "flat_rate", price, enabled: true } as const;
  return [
    insertSelected(shippingZones, { ...zone, ...written }, planned),
    insertSelected(
      shippingMethods,
      { ...method, brackets: [], ...written },
      sql`${planned} JOIN ${shippingZones} ON ${shippingZones.name} = planned.value ->> 'name'`,
    ),
  ];
}

const insertRates = ({ author: { now } }: Pick<WriteContext, "author">, { rates }: PresetPlan): SQL =>
  insertSelected(
    taxRates,
    {
      name: sql`value ->> 'name'`,
      country: sql`value ->> 'country'`,
      region: sql`value ->> 'region'`,
      taxClass: sql`value ->> 'taxClass'`,
      rate: sql`value ->> 'rate'`,
      taxesShipping: sql`value ->> 'taxesShipping'`,
      createdAt: now,
      updatedAt: now,
    },
    sql`FROM json_each(${JSON.stringify(rates)})`,
  );
