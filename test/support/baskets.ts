import fc from "fast-check";
import type { ApplicableRate, Basket, Discount, Line, RatedMethod, Rules } from "../../src/checkout/pricing/types.ts";
import { discountKinds, discountScopes, shippingMethodKinds, taxClasses } from "../../src/platform/db/schema.ts";

// Arbitrary shops and baskets, for property tests of prices.

const cents = fc.oneof(fc.integer({ min: 0, max: 20_000 }), fc.integer({ min: 0, max: 999_999_999 }));
const millionths = fc.oneof(
  fc.constantFrom(0, 50_000, 70_000, 88_750, 190_000, 200_000, 1_000_000),
  fc.integer({ min: 0, max: 1_000_000 }),
);
const country = fc.constantFrom("DE", "US");
const region = fc.constantFrom(null, null, "NY");
const place = fc.record({ country, region });
const rarely = fc.nat({ max: 9 }).map((roll) => roll === 0);
const orNull = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });

const line: fc.Arbitrary<Line> = fc.record({
  productId: fc.integer({ min: 1, max: 6 }),
  quantity: fc.oneof(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 10_000 })),
  unitPrice: cents,
  type: fc.constantFrom("physical", "digital", "service"),
  requiresShipping: fc.boolean(),
  categoryId: orNull(fc.integer({ min: 1, max: 3 })),
  taxClass: fc.constantFrom(...taxClasses),
  weightGrams: orNull(fc.integer({ min: 0, max: 30_000 })),
  parentId: orNull(fc.integer({ min: 1, max: 5 })),
  renews: fc.constant(null),
});

const rate: fc.Arbitrary<ApplicableRate> = fc.record({
  id: fc.nat(),
  name: fc.constantFrom("VAT", "State", "City"),
  country,
  region,
  taxClass: fc.constantFrom(...taxClasses.filter((name) => name !== "exempt")),
  rate: millionths,
  taxesShipping: fc.boolean(),
});

const method: fc.Arbitrary<RatedMethod> = fc.record({
  id: fc.integer({ min: 1, max: 6 }),
  zoneId: fc.integer({ min: 1, max: 2 }),
  name: fc.constant("Post"),
  kind: fc.constantFrom(...shippingMethodKinds),
  price: cents,
  brackets: fc
    .uniqueArray(fc.integer({ min: 1, max: 100_000 }), { maxLength: 4 })
    .map((grams) =>
      grams.toSorted((a, b) => a - b).map((upToGrams, index) => ({ upToGrams, price: 500 * (index + 1) })),
    ),
  freeFrom: orNull(cents),
  minDays: fc.constant(null),
  maxDays: fc.constant(null),
});

const discount: fc.Arbitrary<Discount> = fc.record({
  id: fc.nat(),
  name: fc.constant("Sale"),
  code: orNull(fc.constant("SALE")),
  kind: fc.constantFrom(...discountKinds),
  percent: millionths,
  amount: cents.filter((amount) => amount > 0),
  buyQuantity: fc.integer({ min: 1, max: 4 }),
  getQuantity: fc.integer({ min: 1, max: 3 }),
  appliesTo: fc.constantFrom(...discountScopes),
  productIds: fc.uniqueArray(fc.integer({ min: 1, max: 6 }), { maxLength: 2 }),
  categoryIds: fc.uniqueArray(fc.integer({ min: 1, max: 3 }), { maxLength: 2 }),
  minimumSubtotal: orNull(cents),
  firstOrderOnly: fc.boolean(),
  startsAt: fc.constant(null),
  endsAt: fc.constant(null),
  maxUses: fc.constant(null),
  maxUsesPerCustomer: fc.constant(null),
  uses: fc.constant(0),
  combinable: fc.boolean(),
  priority: fc.integer({ min: 0, max: 3 }),
  enabled: fc.constant(true),
  updatedAt: fc.constant(1),
});

export const anyRules: fc.Arbitrary<Rules> = fc.record({
  version: fc.constant("1"),
  homeCountry: orNull(country),
  homeRegion: region,
  pricesIncludeTax: fc.boolean(),
  vatId: orNull(fc.constant("DE123456789")),
  smallBusiness: fc.boolean(),
  language: fc.constant("en"),
  zones: fc
    .uniqueArray(
      fc.record({
        id: fc.integer({ min: 1, max: 2 }),
        places: fc.array(place),
        restOfWorld: fc.constantFrom(true, true, false),
      }),
      {
        selector: ({ id }) => id,
        minLength: 1,
      },
    )
    .map((zones) => zones.map((zone) => ({ ...zone, name: `Zone ${zone.id}` }))),
  methods: fc.uniqueArray(method, { selector: ({ id }) => id, minLength: 2, maxLength: 6 }),
  rates: fc.uniqueArray(rate, { selector: ({ id }) => id, minLength: 3, maxLength: 8 }),
  discounts: fc.constant([]),
  payments: fc.constant({}),
  accounts: fc.constant({}),
});

export const anyBasket: fc.Arbitrary<Basket> = fc.record({
  lines: fc.array(line, { minLength: 1, maxLength: 6 }),
  shipTo: orNull(place),
  billTo: orNull(place),
  shippingMethodId: orNull(fc.integer({ min: 1, max: 6 })),
  discounts: fc.uniqueArray(discount, { selector: ({ id }) => id, maxLength: 5 }),
  taxExempt: rarely,
});
