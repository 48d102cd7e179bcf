import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { publishStockChanges } from "../../src/catalogue/products/stock-events.ts";
import { call, callWith } from "../support/call.ts";
import { counted } from "../support/counting.ts";
import { expectRefusal } from "../support/refusal.ts";
import { aParent, aProduct, aUser, aVariant, db, onPurpose, orderOf } from "../support/shop.ts";

let admin: string;
let buyer: string;

beforeAll(async () => {
  [admin, buyer] = [(await aUser({ role: "admin" })).token, (await aUser({ wallet: 10_000_000 })).token];
});

type Listed = { id: number; stock_quantity: number | null };

const linkTo = (headers: Headers) => /<([^>]+)>; rel="next"/.exec(headers.get("Link") ?? "")?.[1];

/** Everything that changed since a time, to the end of the list. */
async function changedSince(since: string, filters = "&variants=true&per_page=2"): Promise<Listed[]> {
  const seen: Listed[] = [];
  let address: string | undefined = `/admin/products?updated_since=${since}${filters}`;
  while (address) {
    const { status, body, headers } = await call(`GET ${address}`, { as: admin });
    expect(status, JSON.stringify(body)).toBe(200);
    seen.push(...body.data);
    address = linkTo(headers);
  }
  return seen;
}

/** A moment after everything so far, and before everything that follows. */
async function now(): Promise<string> {
  const [before, after] = [Date.now() + 1, Date.now() + 2];
  while (Date.now() < after) await env.DB.prepare("SELECT 1").run();
  return new Date(before).toISOString();
}

const place = async (product: { id: number; price: number }, quantity = 1) =>
  (await call("POST /orders", { as: buyer, body: orderOf(product, quantity), headers: onPurpose() })).body.data;

describe("updated_since finds a product whose stock was changed", () => {
  const write = (line: string, body: unknown) => call(`${line}`, { as: admin, body });

  it.each<
    [
      string,
      (order: { id: number; items: { id: number }[] }, product: { id: number; price: number }) => Promise<unknown>,
      number,
    ]
  >([
    ["by a sale", (_, product) => place(product, 2), 6],
    ["by a cancellation", ({ id }) => write(`PUT /admin/orders/${id}`, { status: "cancelled" }), 10],
    [
      "by a refund that restocks",
      ({ id, items }) =>
        write(`POST /admin/orders/${id}/refunds`, { items: [{ id: items[0]?.id, quantity: 1 }], restock: true }),
      9,
    ],
    ["by an adjustment", (_, { id }) => write(`POST /admin/products/${id}/stock`, { delta: 5, reason: "Found" }), 13],
    ["by a count", (_, { id }) => write(`POST /admin/products/${id}/stock`, { quantity: 4, reason: "Counted" }), 2],
  ])("%s", async (_, change, left) => {
    const [product, other] = [await aProduct({ stock: 10 }), await aProduct({ stock: 10 })];
    const [order] = [await place(product, 2), await place(other)];
    const since = await now();
    expect(await changedSince(since)).toEqual([]);
    await change(order, product);
    expect(await changedSince(since)).toMatchObject([{ id: product.id, stock_quantity: left }]);
  });

  it("once, in the place of its last change, with others that were edited", async () => {
    const since = await now();
    const sold = await aProduct({ stock: 10 });
    const edited = await aProduct({ stock: 10 });
    for (const slug of ["a-1", "b-1"]) {
      await call(`PUT /admin/products/${sold.id}`, { as: admin, body: { slug } });
      await place(sold);
    }
    await now();
    await call(`PUT /admin/products/${edited.id}`, { as: admin, body: { slug: "c-1" } });
    await now();
    await place(sold);
    for (const per_page of [1, 2, 50]) {
      const seen = await changedSince(since, `&per_page=${per_page}`);
      expect(seen.map(({ id }) => id)).toEqual([edited.id, sold.id]);
      expect(seen.at(-1)?.stock_quantity).toBe(7);
    }
  });

  it("by its variant, which a list with variants names itself", async () => {
    const parent = await aParent();
    const variant = await aVariant(parent);
    const since = await now();
    await place(variant);
    expect(await changedSince(since, "")).toMatchObject([{ id: parent.id }]);
    expect(await changedSince(since)).toMatchObject([{ id: variant.id, stock_quantity: 99 }]);
    expect(await changedSince(since, `&parent_id=${parent.id}`)).toMatchObject([{ id: variant.id }]);
  });

  it("after thousands of other orders, of which a page reads a bounded number", async () => {
    const product = await aProduct({ stock: 10 });
    const since = await now();
    await env.DB.prepare(
      `INSERT INTO orders (reference, number, sequence, user_id, status, payment_status, fulfillment_status, currency, subtotal, total, payment_method,
         paid_at, customer_name, customer_email, created_at, updated_at, updated_by)
       SELECT 'OLD-' || value, '#' || (1000000 + value), 1000000 + value, NULL, 'shipped', 'paid', 'fulfilled', 'USD', 100, 100, 'paypal', ?1, 'Ada', 'ada@shop.test', ?1, ?1 + value, 'user:1'
       FROM json_each(?2)`,
    )
      .bind(Date.parse(since), JSON.stringify(Array.from({ length: 4_500 }, (_, n) => n)))
      .run();
    const order = await place(product);
    await env.DB.prepare("UPDATE orders SET updated_at = ? WHERE id = ?")
      .bind(Date.parse(since) + 9_000, order.id)
      .run();
    const seen = await changedSince(since);
    expect(seen).toMatchObject([{ id: product.id, stock_quantity: 9 }]);
    const { bindings, work, trips } = counted();
    await callWith(bindings, `GET /admin/products?updated_since=${since}`, { as: admin });
    expect(trips.d1).toBe(1);
    expect(work.rowsRead).toBeLessThan(10_000);
    // More orders than a page reads expire at the same instant.
    await env.DB.prepare("UPDATE orders SET updated_at = ? WHERE reference LIKE 'OLD-%'")
      .bind(Date.parse(since) + 5)
      .run();
    expect(await changedSince(since)).toMatchObject([{ id: product.id, stock_quantity: 9 }]);
    for (const minutes of [0, 2, 4]) await publishStockChanges(db, Date.now() + minutes * 60_000);
    const published = await call(`GET /admin/events?subject=product:${product.id}&type=stock.changed`, { as: admin });
    expect(published.body.data).toMatchObject([{ data: { stock_quantity: 9 } }]);
    await env.DB.prepare("UPDATE orders SET updated_at = 1 WHERE reference LIKE 'OLD-%'").run();
  });
});

it("lists variants only beside a cursor", async () => {
  const variant = await aVariant(await aParent());
  const { body } = await call(`GET /admin/products?after_id=${variant.id - 1}&variants=true`, { as: admin });
  expect(body.data).toMatchObject([{ id: variant.id }]);
  expectRefusal(await call("GET /admin/products?variants=true", { as: admin }), 400, "variants");
  expectRefusal(await call("GET /admin/products?variants=true&after_id=0&parent_id=1", { as: admin }), 400, "variants");
});
