import { eq } from "drizzle-orm";
import * as fc from "fast-check";
import { beforeEach, expect, it } from "vitest";
import { NO_PASSWORD } from "../../src/accounts/users/sign-in/passwords.ts";
import { toDecimal } from "../../src/domain/money.ts";
import { categories, products, users } from "../../src/platform/db/schema.ts";
import { call } from "../support/call.ts";
import { anImport } from "../support/jobs.ts";
import { money } from "../support/money.ts";
import { aCategory, aUser, db } from "../support/shop.ts";

let as: string;

/** Another administrator, whose rate limit is unused. */
const another = async () => {
  as = (await aUser({ role: "admin" })).token;
};
beforeEach(another);

const exported = async (list: string): Promise<string> => {
  const { status, body } = await call(`GET /admin/exports/${list}`, { as });
  expect(status, JSON.stringify(body)).toBe(200);
  return typeof body === "string" ? body : JSON.stringify(body);
};

const text = (maxLength: number) => fc.string({ minLength: 1, maxLength, unit: "grapheme" });
const line = text(40).map((value) => value.replaceAll(/\p{Cc}/gu, "").trim() || "x");

const aUnitPricing = fc.option(
  fc.record({
    measure: fc.record({
      value: fc.integer({ min: 1_000, max: 999_999 }).map((thousandths) => thousandths / 1_000),
      unit: fc.constantFrom("g", "kg"),
    }),
    reference: fc.constantFrom({ value: 1, unit: "kg" }, { value: 100, unit: "g" }),
  }),
);

const aRandomProduct = fc.record({
  name: line,
  type: fc.constantFrom("physical", "digital", "service"),
  status: fc.constantFrom("active", "draft"),
  price: fc.integer({ min: 0, max: 999_999_999 }).map((minor) => toDecimal(minor)),
  description: fc.oneof(text(60), fc.constantFrom("=1+1", "a\r\nb", "'-x", '"', "\t", "two\n\nlines ", "")),
  weight_grams: fc.option(fc.nat(1_000)),
  tax_class: fc.constantFrom("standard", "reduced", "zero", "exempt"),
  condition: fc.constantFrom("new", "refurbished", "used"),
  withdrawal: fc.constantFrom("standard", "sealed", "perishable"),
  stock_quantity: fc.option(fc.nat(50)),
  low_stock_threshold: fc.option(fc.integer({ min: 0, max: 9 })),
  download_limit: fc.option(fc.integer({ min: 1, max: 9 })),
  images: fc.array(fc.record({ url: fc.constant("https://images.example/a.png"), alt: text(20) }), { maxLength: 2 }),
  unit_pricing: aUnitPricing,
  metadata: fc.dictionary(fc.constantFrom("a", "b", "=c"), text(20), { noNullPrototype: true }),
  isReduced: fc.boolean(),
});

const optionValue = fc.oneof(line, fc.constantFrom("S", "M", "a|b", "\\\\", "=1", "x, y"));

/** A product with options whose variants override some of its fields. */
const aRandomParent = fc.record({
  product: aRandomProduct,
  options: fc.uniqueArray(
    fc.record({
      name: line,
      values: fc.uniqueArray(optionValue, { minLength: 1, maxLength: 3, selector: (value) => value.toLowerCase() }),
    }),
    { minLength: 1, maxLength: 3, selector: ({ name }) => name.toLowerCase() },
  ),
  variants: fc.array(
    fc.record(
      {
        name: line,
        ...{ status: fc.constantFrom("active", "draft"), type: fc.constantFrom("physical", "digital", "service") },
        ...{ description: fc.oneof(text(60), fc.constant("")), weight_grams: fc.option(fc.nat(1_000)) },
        ...{ condition: fc.constantFrom("new", "refurbished"), tax_class: fc.constantFrom("standard", "zero") },
        ...{ stock_quantity: fc.option(fc.nat(50)), unit_pricing: aUnitPricing },
        ...{ download_limit: fc.option(fc.integer({ min: 1, max: 9 })), images: fc.constantFrom([]) },
        ...{ requires_shipping: fc.boolean(), metadata: fc.constantFrom({ a: "1" }) },
        price: fc.integer({ min: 0, max: 9_999 }).map((minor) => toDecimal(minor)),
      },
      { requiredKeys: ["price"] },
    ),
    { maxLength: 6 },
  ),
});

/** Creates a product with variants, each with a different combination of values. */
async function createVariants(
  sku: string,
  { product, options, variants }: typeof aRandomParent extends fc.Arbitrary<infer Parent> ? Parent : never,
) {
  const { isReduced: _, stock_quantity: __, ...sent } = product;
  const made = await call("POST /admin/products", { as, body: { ...sent, options, sku } });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  const all = options.reduce<{ name: string; value: string }[][]>(
    (rows, { name, values }) => rows.flatMap((row) => values.map((value) => [...row, { name, value }])),
    [[]],
  );
  for (const [n, variant] of variants.slice(0, all.length).entries()) {
    const body = { ...variant, option_values: all[all.length - 1 - n], sku: `${sku}-${n}` };
    const answer = await call(`POST /admin/products/${made.body.data.id}/variants`, { as, body });
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  }
}

it.each(["csv", "ndjson"])(
  "gives an empty shop the same responses when an export as %s is imported",
  async (format) => {
    const category = await aCategory(`Round ${format}`);
    for (const [n, { isReduced, ...sent }] of fc.sample(aRandomProduct, 12).entries()) {
      const compareAt =
        isReduced && sent.price < money(9_999_999) ? { compare_at_price: Math.ceil(sent.price + 1) } : {};
      const body = { ...sent, ...compareAt, sku: `ROUND-${format}-${n}`, category_id: n % 2 ? category.id : null };
      const made = await call("POST /admin/products", { as, body });
      expect(made.status, JSON.stringify(made.body)).toBe(201);
    }
    for (const [n, parent] of fc.sample(aRandomParent, 6).entries())
      await createVariants(`PARENT-${format}-${n}`, parent);
    const email = `round-${format}@shop.test`;
    const customer = await aUser({ name: '=Round, "Trip"' });
    await db
      .update(users)
      .set({ email, emailVerifiedAt: null, passwordHash: NO_PASSWORD, company: "'+1", metadata: { a: "1" } })
      .where(eq(users.id, customer.id));
    const answers = async () => {
      await another();
      const list = (await call("GET /admin/products?after_id=0&per_page=100", { as })).body.data;
      const { body } = await call("GET /admin/exports/products/ndjson", { as });
      const ids: number[] = body
        .trim()
        .split("\n")
        .map((row: string) => JSON.parse(row).id);
      const each = await Promise.all(ids.map((id) => call(`GET /admin/products/${id}`, { as })));
      const user = (await call(`GET /admin/users/${customer.id}`, { as })).body.data;
      return { list, each: each.map(({ body }) => body), user };
    };
    const before = await answers();
    const files = {
      products: await exported(`products/${format}`),
      customers: await exported(`customers/${format}?search=round-${format}`),
    };
    await db.delete(products);
    await db.delete(categories);
    await db.delete(users).where(eq(users.id, customer.id));
    // A new shop has not assigned any ids yet.
    await db.run("DELETE FROM sqlite_sequence WHERE name IN ('products', 'categories', 'users')");
    const done = await anImport(files.products, { as, name: `products.${format}` });
    expect(done).toMatchObject({ state: "completed", failed: 0, format });
    expect(await anImport(files.customers, { as, resource: "customers", name: `customers.${format}` })).toMatchObject({
      state: "completed",
      failed: 0,
      to_create: 1,
    });
    expect(await answers()).toEqual(before);
    await db.delete(products);
  },
);
