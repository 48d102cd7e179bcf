import { env } from "cloudflare:workers";
import { sql } from "drizzle-orm";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { setCurrency, storedAmounts } from "../../../src/platform/db/currency.ts";
import { products, shop } from "../../../src/platform/db/schema.ts";
import { queueEventEmails } from "../../../src/platform/email/follow.ts";
import { administration } from "../../support/administration.ts";
import { call, callWith } from "../../support/call.ts";
import { counted } from "../../support/counting.ts";
import { delivered } from "../../support/emails.ts";
import { interleaved } from "../../support/faults.ts";
import { anAdministrator } from "../../support/panel.ts";
import { expectRefusal } from "../../support/refusal.ts";
import { aFeed } from "../../support/settings.ts";
import { ADDRESS, aProduct, aUser, db, onPurpose, orderOf } from "../../support/shop.ts";

const { admin, ask } = administration();

/** Begins as an isolate that has just started. All runtimes of a shop read the currency this way. */
const startAnew = () => setCurrency(null, false);
beforeEach(startAnew);
// Other files test a shop whose currency is final.
afterAll(() => setCurrency(null, true));

const choose = (currency: string, headers?: Record<string, string>) => ask("PUT /admin/shop", { currency }, headers);

const lamp = (price: number) => ({ name: "Lamp", sku: `LAMP-${price}`, type: "physical", status: "active", price });

/** The deployment's variable says USD. */
const chosenNow = async () => (await ask("GET /admin/shop")).body.data.currency;

describe("the currency of a shop without prices", () => {
  it("is the deployment's until another is chosen, by its code, and each choice is audited", async () => {
    expect(await chosenNow()).toBe("USD");
    expectRefusal(await choose("DEM"), 400, "currency");
    const first = await choose("eur");
    expect(first.body.data.currency).toBe("EUR");
    const etag = String(first.headers.get("ETag"));
    expect((await choose("JPY", { "If-Match": etag })).body.data.currency).toBe("JPY");
    expect((await choose("EUR", { "If-Match": etag })).status).toBe(412);
    startAnew();
    expect(await chosenNow()).toBe("JPY");
    const [last] = (await ask("GET /admin/audit-log?subject=shop&subject_id=1")).body.data;
    expect([last.before, last.after]).toEqual([{ currency: "EUR" }, { currency: "JPY" }]);
  });

  it("decides the decimals of a price, in every isolate at once", async () => {
    const refused = await ask("POST /admin/products", lamp(12.5));
    expectRefusal(refused, 400, "price", "too_precise");
    expect(refused.body.errors.price).toEqual(["must have no decimals"]);
    await choose("KWD");
    expectRefusal(await ask("POST /admin/products", lamp(12.0005)), 400, "price", "too_precise");
    // Another isolate, which still knows the currency before.
    setCurrency("JPY", false);
    expectRefusal(await ask("POST /admin/products", lamp(12.0005)), 400, "price", "too_precise");
    await choose("JPY");
  });

  it("refuses a price whose request read the currency before it changed, and stores nothing", async () => {
    const changed = async () => void (await db.update(shop).set({ currency: "KWD" }));
    const bindings = { DB: interleaved(env.DB, changed) };
    const refused = await callWith(bindings, "POST /admin/products", { as: admin.token, body: lamp(1250) });
    expect([refused.status, refused.body.code]).toEqual([409, "changed_meanwhile"]);
    expect(refused.body.message).toContain("currency was changed");
    expect(await db.$count(products)).toBe(0);
    await choose("JPY");
  });

  it("refuses a price whose request shares the isolate with one that read another currency", async () => {
    const reread = async () => setCurrency("KWD", false);
    const bindings = { DB: interleaved(env.DB, reread, 2) };
    const refused = await callWith(bindings, "POST /admin/products", { as: admin.token, body: lamp(1250) });
    expect([refused.status, refused.body.code]).toEqual([409, "changed_meanwhile"]);
    expect(await db.$count(products)).toBe(0);
  });
});

/** A record that has amounts, without one of the others. */
const withAmounts = {
  products: async () => {
    const { id } = await aProduct();
    return () => ask(`DELETE /admin/products/${id}`);
  },
  discounts: async () => {
    const discount = { name: "Off", code: "OFF", kind: "amount", amount: 100 };
    const { id } = (await ask("POST /admin/discounts", discount)).body.data;
    return () => ask(`DELETE /admin/discounts/${id}`);
  },
  "shipping methods": async () => {
    const zone = (await ask("POST /admin/shipping-zones", { name: "Japan", places: [{ country: "JP" }] })).body.data;
    const method = { zone_id: zone.id, name: "Parcel", kind: "flat_rate", price: 500 };
    const { id } = (await ask("POST /admin/shipping-methods", method)).body.data;
    return async () => {
      await ask(`DELETE /admin/shipping-methods/${id}`);
      await ask(`DELETE /admin/shipping-zones/${zone.id}`);
    };
  },
  "draft orders": async () => {
    await db.run(
      sql`INSERT INTO draft_orders (reference, status, content, created_at, updated_at) VALUES ('D', 'open', '{}', 1, 1)`,
    );
    return () => db.run(sql`DELETE FROM draft_orders`);
  },
  "checkouts of shopping assistants": async () => {
    await db.run(sql`INSERT INTO checkout_sessions (token, reference, kind, status, agent, content, told_of, expires_at, created_at, updated_at)
      VALUES ('t', 'r', 'cart', 'open', 'agent.example', '{}', '', 1, 1, 1)`);
    return () => db.run(sql`DELETE FROM checkout_sessions`);
  },
} satisfies Record<string, () => Promise<() => Promise<unknown>>>;

describe("the currency of a shop with amounts", () => {
  it.each(Object.entries(withAmounts))("stays while there are %s, and can change again without", async (name, make) => {
    await choose("JPY");
    const remove = await make();
    const refused = await choose("USD");
    expectRefusal(refused, 400, "currency", "read_only");
    const words = `cannot change, because there are ${name} with amounts in JPY. Delete them first`;
    expect(refused.body.errors.currency).toEqual([words]);
    expect((await choose("JPY")).status).toBe(200);
    expect((await ask("PUT /admin/shop", { contact: `${name}!` })).body.data.currency).toBe("JPY");
    await remove();
    expect((await choose("USD")).body.data.currency).toBe("USD");
    await choose("JPY");
  });

  it("stays if the first amount comes between the form and the change", async () => {
    const lost: (() => Promise<unknown>)[] = [];
    const priced = async () => void lost.push(await withAmounts.products());
    const bindings = { DB: interleaved(env.DB, priced, 2) };
    const refused = await callWith(bindings, "PUT /admin/shop", { as: admin.token, body: { currency: "USD" } });
    expectRefusal(refused, 400, "currency", "read_only");
    for (const remove of lost) await remove();
  });
});

it("stays for good once there is a gift card", async () => {
  await choose("JPY");
  const card = { value: 1250, reason: "Goodwill" };
  expect((await ask("POST /admin/gift-cards", card, onPurpose())).status).toBe(201);
  const refused = await choose("USD");
  expectRefusal(refused, 400, "currency", "read_only");
  expect(refused.body.errors.currency).toEqual(["cannot change, because there are gift cards with amounts in JPY"]);
});

it("shows yen wherever money is shown, in a deployment whose variable is USD", async () => {
  const saved = await ask("PUT /admin/shop", {
    currency: "JPY",
    address: { ...ADDRESS, country: "JP" },
    home_country: "JP",
    invoice_moment: "payment",
    vat_id: null,
    tax_number: "123",
  });
  expect(saved.body.data).toMatchObject({ currency: "JPY", invoice_moment: "payment" });
  startAnew();
  expectRefusal(await ask("POST /admin/products", lamp(12.5)), 400, "price", "too_precise");
  const images = [{ url: "https://lamps.example/lamp.webp", alt: "" }];
  const product = (await ask("POST /admin/products", { ...lamp(1250), images, stock_quantity: 9 })).body.data;
  expect(product).toMatchObject({ price: 1250, currency: "JPY" });
  expect(await db.select({ price: products.price }).from(products).get()).toEqual({ price: 1250 });
  startAnew();
  const buyer = await aUser({ wallet: 5_000 });
  const items = [{ product_id: product.id, quantity: 2, price: 1250 }];
  const body = { ...orderOf(product), items };
  const placed = await call("POST /orders", { as: buyer.token, body, headers: onPurpose() });
  const order = placed.body.data;
  expect(order).toMatchObject({ total: 2500, currency: "JPY" });
  expect((await call("GET /account/profile", { as: buyer.token })).body.data).toMatchObject({
    wallet_balance: 2500,
    currency: "JPY",
  });
  await queueEventEmails(db, Date.now());
  const [email] = await delivered(buyer.email);
  expect(email?.text).toContain("¥2,500");
  const [invoice] = (await call("GET /account/invoices", { as: buyer.token })).body.data;
  expect(invoice).toMatchObject({ total: 2500, currency: "JPY" });
  const feed = await aFeed();
  const { address } = (await ask(`POST /admin/feeds/${feed.id}/address`, {})).body.data;
  expect((await call(`GET ${address}`)).body).toContain("1250 JPY");
  const panel = await anAdministrator();
  expect((await panel.get(`/admin/orders/${order.id}`)).html).toContain("¥2,500");
  expect((await panel.get(`/admin/products/${product.id}`)).html).toContain('value="1250"');
  const settingsPage = (await panel.get("/admin/shop")).html;
  expect(settingsPage).toContain("Japanese Yen (JPY)");
  expect(settingsPage).toContain(
    "cannot change, because there are orders, payments, and gift cards with amounts in JPY",
  );
  const refused = await choose("USD");
  expectRefusal(refused, 400, "currency", "read_only");
});

it("is read for each request until there is an order, and once for each isolate afterwards", async () => {
  const { bindings, trips } = counted();
  const list = () => callWith(bindings, "GET /products", { as: admin.token });
  await list();
  expect(trips.d1).toBe(2);
  await list();
  expect(trips.d1).toBe(3);
  startAnew();
  await list();
  expect(trips.d1).toBe(5);
});

it("has a test for each kind of amount", () => {
  const lasting = ["orders", "payments", "gift cards"];
  expect(Object.keys(storedAmounts).sort()).toEqual([...Object.keys(withAmounts), ...lasting].sort());
});
