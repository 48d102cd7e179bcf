import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { orders } from "../../../src/platform/db/schema.ts";
import { call, callWith } from "../../support/call.ts";
import { shared } from "../../support/callers.ts";
import { counted } from "../../support/counting.ts";
import { expectRefusal } from "../../support/refusal.ts";
import { aKey, aProduct, db, onPurpose, orderOf } from "../../support/shop.ts";
import { anAdministrator, placed } from "./support.ts";

const anAdmin = shared(() => anAdministrator());

let admin: Awaited<ReturnType<typeof anAdministrator>>;
let product: Awaited<ReturnType<typeof aProduct>>;
let guests: { key: string; id: number };

beforeAll(async () => {
  product = await aProduct({ stock: null });
  guests = await aKey();
});

beforeEach(async () => {
  admin = await anAdmin();
});

/** A guest's order, so that the test itself defines every customer. */
async function aGuestOrder(name: string, email: string, columns: Partial<typeof orders.$inferInsert> = {}) {
  const body = orderOf(product, 1, { payment_method: "credit_card", customer: { name, email } });
  const { id, number, reference } = (await call("POST /orders", { as: guests.key, body, headers: onPurpose() })).body
    .data;
  if (Object.keys(columns).length > 0) await db.update(orders).set(columns).where(eq(orders.id, id));
  return { id: id as number, number: number as string, reference: reference as string };
}

const found = async (query: Record<string, string>): Promise<number[]> => {
  const { status, body } = await admin.ask(`GET /admin/orders?${new URLSearchParams(query)}`);
  expect(status, JSON.stringify(body)).toBe(200);
  expect(body.pagination.total_items).toBe(body.data.length);
  return body.data.map(({ id }: { id: number }) => id);
};

it("lists all orders, newest first, as their buyers see them", async () => {
  const [first, second] = [await placed(), await aGuestOrder("Guest", "first@list.test")];
  const { body } = await admin.ask("GET /admin/orders?per_page=2");
  expect(body.data.map(({ id }: { id: number }) => id)).toEqual([second.id, first.id]);
  expect(body.data[1]).toEqual((await call(`GET /account/orders/${first.id}`, { as: first.user.token })).body.data);
  expect((await admin.ask(`GET /admin/orders/${first.id}`)).body.data).toEqual(body.data[1]);
});

it("reads a page in one round trip", async () => {
  const { bindings, trips } = counted();
  await callWith(bindings, "GET /admin/orders?search=nobody&status=pending", { as: admin.token });
  expect(trips.d1).toBe(1);
});

describe("filters", () => {
  it("by status, payment, fulfilment, method and user, also combined", async () => {
    const paid = await placed();
    const user_id = String(paid.user.id);
    const body = orderOf(product, 1, { payment_method: "paypal" });
    const waiting = (await call("POST /orders", { as: paid.user.token, body })).body.data.id;
    expect(await found({ user_id })).toEqual([waiting, paid.id]);
    expect(await found({ user_id, status: "pending" })).toEqual([waiting]);
    expect(await found({ user_id, payment_status: "paid" })).toEqual([paid.id]);
    expect(await found({ user_id, payment_method: "wallet" })).toEqual([paid.id]);
    expect(await found({ user_id, fulfillment_status: "unfulfilled", status: "processing" })).toEqual([paid.id]);
    expect(await found({ user_id, fulfillment_status: "not_required" })).toEqual([]);
    expect(await found({ user_id, fulfillment_status: "unfulfilled" })).toEqual([waiting, paid.id]);
    expect(
      (await call(`PUT /admin/orders/${waiting}`, { as: admin.token, body: { status: "cancelled" } })).status,
    ).toBe(200);
    expect(await found({ user_id, fulfillment_status: "unfulfilled" })).toEqual([paid.id]);
  });

  it("by the time of placing, from one time and before another", async () => {
    const at = (day: number) => Date.UTC(2001, 0, day);
    const days: number[] = [];
    for (const day of [1, 2, 3]) {
      days.push((await aGuestOrder("Old", `day-${day}@list.test`, { createdAt: at(day) })).id);
    }
    const [, second] = days;
    expect(await found({ from: "2001-01-02T00:00:00Z", to: "2001-01-03T00:00:00Z" })).toEqual([second]);
    expect(await found({ from: "2001-01-01T00:00:00Z", to: "2001-01-04T00:00:00Z" })).toEqual(days.toReversed());
    expect(await found({ from: "2001-01-02T01:00:00+01:00", to: "2001-01-03T00:00:00Z" })).toEqual([second]);
  });

  it.each([
    ["status", "sold"],
    ["payment_status", "free"],
    ["fulfillment_status", "lost"],
    ["payment_method", "barter"],
    ["user_id", "0"],
    ["user_id", "x"],
    ["search", ""],
    ["search", "x".repeat(255)],
    ["from", "yesterday"],
    ["to", "2026-13-01T00:00:00Z"],
    ["per_page", "101"],
    ["sort", "total"],
  ])("refuses %s=%s", async (name, value) => {
    expectRefusal(await admin.ask(`GET /admin/orders?${new URLSearchParams({ [name]: value })}`), 400, name);
  });
});

describe("the search", () => {
  it("finds a reference with and without hyphens, with similar characters confused, and by its first block", async () => {
    const { id, reference } = await aGuestOrder("Referred", "reference@list.test");
    const spelt = [
      reference,
      reference.replaceAll("-", "").toLowerCase(),
      ` ${reference.replaceAll("-", " ")} `,
      reference.replaceAll("0", "O").replaceAll("1", "l"),
      reference.slice(0, 7),
    ];
    for (const search of spelt) expect(await found({ search }), search).toContain(id);
    for (const search of [reference.slice(0, 3), reference.slice(5), `${reference}-0`])
      expect(await found({ search }), search).not.toContain(id);
  });

  it("finds a number with its prefix in any case, with # and by its digits, in a filter and in the search", async () => {
    await call("PUT /admin/shop", { as: admin.token, body: { order_number_prefix: "EU-" } });
    const european = await aGuestOrder("European", "eu@list.test");
    await call("PUT /admin/shop", { as: admin.token, body: { order_number_prefix: "#" } });
    const { id, number } = await aGuestOrder("Numbered", "number@list.test");
    const digits = european.number.slice("EU-".length);
    expect([european.number, number]).toEqual([`EU-${digits}`, `#${Number(digits) + 1}`]);
    for (const spelt of [european.number, `eu-${digits}`, `#${digits}`, digits, ` ${digits} `]) {
      expect(await found({ number: spelt }), spelt).toEqual([european.id]);
      expect(await found({ search: spelt }), spelt).toContain(european.id);
    }
    expect(await found({ number })).toEqual([id]);
    for (const wrong of [`US-${digits}`, `0${digits}`, `${digits}0`, digits.slice(0, -1), `${digits}-EU`, "EU-"])
      expect(await found({ number: wrong }), wrong).toEqual([]);
  });

  it("finds customers by any words of their name or e-mail address in any case, the last word by its beginning", async () => {
    const zoe = await aGuestOrder("Zoë Zimmermann", "zz.first@list.test");
    const zoo = await aGuestOrder("The Zoo", "zoo@list.test");
    const emile = await aGuestOrder("Émile Zola", "ez@elsewhere.test");
    expect(await found({ search: "zo" })).toEqual([emile.id, zoo.id, zoe.id]);
    expect(await found({ search: "ZOË ZIM" })).toEqual([zoe.id]);
    expect(await found({ search: "zimmermann zoe" })).toEqual([zoe.id]);
    expect(await found({ search: "ZZ.First@" })).toEqual([zoe.id]);
    for (const search of ["émile", "EMILE", "zola", "elsewhere", "ez@elsewhere.test"]) {
      expect(await found({ search }), search).toEqual([emile.id]);
    }
    expect(await found({ search: "immermann" })).toEqual([]);
    expect(await found({ search: "zo", status: "completed" })).toEqual([]);
    expect(await found({ search: "zoo", from: "2001-01-01T00:00:00Z", status: "pending" })).toEqual([zoo.id]);
  });

  it("finds all orders of a customer, by the names and addresses with which they were placed", async () => {
    const first = await placed();
    await env.DB.prepare("UPDATE users SET name = 'Married Otherwise', email = 'new.address@list.test' WHERE id = ?")
      .bind(first.user.id)
      .run();
    const { id } = (await call("POST /orders", { as: first.user.token, body: orderOf(product) })).body.data;
    const guests = [await aGuestOrder("Twice", "twice@list.test"), await aGuestOrder("Twice", "twice@list.test")];
    expect(await found({ search: "married" })).toEqual([id]);
    expect(await found({ search: "new.address@list.test" })).toEqual([id]);
    expect(await found({ search: first.user.email })).toEqual([first.id]);
    expect(await found({ search: "twice" })).toEqual(guests.map((order) => order.id).reverse());
  });

  it.each(["%", "_", "'", '" OR 1=1 --', "no-such*", "\\", "\u{10FFFF}", "😀", "<script>", "()"])(
    "treats %j as text",
    async (search) => {
      expect(await found({ search })).toEqual([]);
    },
  );

  it("reads only the orders that it finds, with any other filter", async () => {
    const { id } = await aGuestOrder("Rare Name", "rare@list.test");
    await env.DB.prepare(
      `INSERT INTO orders (reference, number, sequence, api_key_id, status, payment_status, fulfillment_status, currency, subtotal, total,
         payment_method, customer_name, customer_email, created_at, updated_at, updated_by)
       SELECT 'Z' || value, '#' || (50000 + value), 50000 + value, api_key_id, status, payment_status, fulfillment_status, currency, subtotal, total,
         payment_method, 'Other ' || value, 'other-' || value || '@list.test', created_at, updated_at, updated_by
       FROM orders JOIN json_each(?2) WHERE orders.id = ?1`,
    )
      .bind(id, JSON.stringify(Array.from({ length: 1000 }, (_, n) => n)))
      .run();
    for (const more of ["", "&status=pending", "&payment_status=unpaid&from=2001-01-01T00:00:00Z"]) {
      const { bindings, work } = counted();
      const path = `/admin/orders?search=rare${more}`;
      const { body } = await callWith(bindings, `GET ${path}`, { as: admin.token });
      expect(body.data.map((order: { id: number }) => order.id)).toEqual([id]);
      expect(work.rowsRead, path).toBeLessThan(80);
    }
  });
});
