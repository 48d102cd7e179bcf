import {
  type ApplicableRate,
  type Basket,
  type Discount,
  type Line,
  NO_RULES,
  type Place,
  type RatedMethod,
  type Rules,
} from "../../src/checkout/pricing/types.ts";
import type { TaxClass } from "../../src/platform/db/schema.ts";

// Shops and baskets for concise tax examples. Money is in minor units, and percentages are in per cent.

const MILLIONTHS = 10_000;

/** A tax rate that includes shipping, in the shop's home country unless `at` names another place. */
type RateOf = (id: number, home: string) => ApplicableRate;

export const rate =
  (name: string, percent: number, at: Partial<ApplicableRate> = {}): RateOf =>
  (id, country) => ({
    id,
    name,
    country,
    region: null,
    taxClass: "standard",
    rate: Math.round(percent * MILLIONTHS),
    taxesShipping: true,
    ...at,
  });

/** A shop that ships everywhere at one price, or for free by default. */
const shop =
  (pricesIncludeTax: boolean) =>
  (homeCountry: string, rates: RateOf[], shipping?: number): Rules => ({
    ...NO_RULES,
    homeCountry,
    pricesIncludeTax,
    rates: rates.map((of, index) => of(index + 1, homeCountry)),
    zones: shipping === undefined ? [] : [{ id: 1, name: "Everywhere", places: [], restOfWorld: true }],
    methods: shipping === undefined ? [] : [post(shipping)],
  });

/** A shipping method of the shop's only zone, by default never free. */
export const post = (price: number, freeFrom: number | null = null): RatedMethod => ({
  id: 1,
  zoneId: 1,
  name: "Post",
  kind: "flat_rate",
  price,
  brackets: [],
  freeFrom,
  minDays: null,
  maxDays: null,
});

export const taxIncluded = shop(true);
export const taxAdded = shop(false);

export const item = (unitPrice: number, taxClass: TaxClass = "standard", fields: Partial<Line> = {}): Line => ({
  productId: 1,
  quantity: 1,
  unitPrice,
  type: "physical",
  parentId: null,
  renews: null,
  requiresShipping: true,
  categoryId: null,
  taxClass,
  weightGrams: null,
  ...fields,
});

/** A discount for everybody, on everything. */
export const discount = (fields: Partial<Discount>): Discount => ({
  id: 1,
  name: "Sale",
  code: "SALE",
  kind: "percentage",
  percent: null,
  amount: null,
  buyQuantity: null,
  getQuantity: null,
  appliesTo: "all_products",
  productIds: [],
  categoryIds: [],
  minimumSubtotal: null,
  firstOrderOnly: false,
  startsAt: null,
  endsAt: null,
  maxUses: null,
  maxUsesPerCustomer: null,
  uses: 0,
  combinable: true,
  priority: 0,
  enabled: true,
  updatedAt: 1,
  ...fields,
});

export const amountOff = (amount: number): Discount => discount({ kind: "amount", amount });

/** Percentage discounts that apply one after another. */
export const percentOff = (...percents: number[]): Discount[] =>
  percents.map((percent, index) =>
    discount({ id: index + 1, percent: Math.round(percent * MILLIONTHS), priority: index }),
  );

/** A basket shipped to a country, or to a country and region as in "US-NY". */
export function sentTo(where: string, lines: Line[], discounts: Discount[] = []): Basket {
  const [country = "", region = null] = where.split("-");
  const place: Place = { country, region };
  return { lines, shipTo: place, billTo: null, shippingMethodId: null, discounts, taxExempt: false };
}
