import { eq } from "drizzle-orm";
import * as fc from "fast-check";
import { beforeAll, expect, it } from "vitest";
import { toDecimal } from "../../src/domain/money.ts";
import { categories, products, users } from "../../src/platform/db/schema.ts";
import { call } from "../support/call.ts";
import { anImport } from "../support/jobs.ts";
import { money } from "../support/money.ts";
import { aCategory, aUser, db } from "../support/shop.ts";

let as: string;

beforeAll(async () => {
  as = (await aUser({ role: "admin" })).token;
});

const exported = async (list: string): Promise<string> => {
  const { status, body } = await call(`GET /admin/exports/${list}`, { as });
  expect(status, JSON.stringify(body)).toBe(200);
  return typeof body === "string" ? body : JSON.stringify(body);
};

const text = (maxLength: number) => fc.string({ minLength: 1, maxLength, unit: "grapheme" });
const line = text(40).map((value) => value.replaceAll(/\p{Cc}/gu, "").trim() || "x");

const aRandomProduct = fc.record({
  name: line,
  type: fc.constantFrom("physical", "digital", "service"),
  status: fc.constantFrom("active", "draft"),
  price: fc.integer({ min: 0, max: 999_999_999 }).map((minor) => toDecimal(minor)),
  description: fc.oneof(text(60), fc.constantFrom("=1+1", "a\r\nb", "'-x", '"', "\t", "two\n\nlines ", "")),
  weight_grams: fc.option(fc.nat(1_000)),
  tax_class: fc.constantFrom("standard", "reduced", "zero", "exempt"),
  stock_quantity: fc.option(fc.nat(50)),
  low_stock_threshold: fc.option(fc.integer({ min: 0, max: 9 })),
  download_limit: fc.option(fc.integer({ min: 1, max: 9 })),
  images: fc.array(fc.record({ url: fc.constant("https://images.example/a.png"), alt: text(20) }), { maxLength: 2 }),
  metadata: fc.dictionary(fc.constantFrom("a", "b", "=c"), text(20), { noNullPrototype: true }),
  isReduced: fc.boolean(),
});

it.each(["csv", "ndjson"])(
  "gives an empty shop the same answers when what was exported as %s is imported",
  async (format) => {
    const category = await aCategory(`Round ${format}`);
    for (const [n, { isReduced, ...sent }] of fc.sample(aRandomProduct, 12).entries()) {
      const compareAt =
        isReduced && sent.price < money(9_999_999) ? { compare_at_price: Math.ceil(sent.price + 1) } : {};
      const body = { ...sent, ...compareAt, sku: `ROUND-${format}-${n}`, category_id: n % 2 ? category.id : null };
      const made = await call("POST /admin/products", { as, body });
      expect(made.status, JSON.stringify(made.body)).toBe(201);
    }
    const email = `round-${format}@shop.test`;
    const customer = await aUser({ name: '=Round, "Trip"' });
    await db
      .update(users)
      .set({ email, emailVerifiedAt: null, company: "'+1", metadata: { a: "1" } })
      .where(eq(users.id, customer.id));
    const answers = async () => {
      const list = (await call("GET /admin/products?after_id=0&per_page=100", { as })).body.data;
      const each = await Promise.all(list.map(({ id }: { id: number }) => call(`GET /admin/products/${id}`, { as })));
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
    // An empty shop has given no ids yet.
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
