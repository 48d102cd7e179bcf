import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { addresses } from "../../src/platform/db/schema.ts";
import { call } from "../support/call.ts";
import { ADDRESS, aKey, aProduct, aUser, db, onPurpose, orderOf } from "../support/shop.ts";

const WHOLE = {
  ...ADDRESS,
  company: "Analytical Engines",
  address2: "Second floor",
  region: "London",
  country: "GB",
  phone: "+44 20 7946 0123",
};

/** The address as responses show it. */
const SHOWN = { ...WHOLE, phone_normalized: "+442079460123", vat_id: null };

let user: Awaited<ReturnType<typeof aUser>>;

beforeEach(async () => {
  user = await aUser({ wallet: 100_000 });
});

const add = (more: object = {}, as = user.token) =>
  call("POST /account/addresses", { as, body: { ...ADDRESS, ...more } });
const change = (id: number, body: unknown) => call(`PUT /account/addresses/${id}`, { as: user.token, body });
const all = async () => (await call("GET /account/addresses", { as: user.token })).body.data;
const idOf = async (more: object = {}): Promise<number> => (await add(more)).body.data.id;

describe("the address book", () => {
  it("stores all parts of an address, and null for missing ones", async () => {
    const whole = await add(WHOLE);
    expect(whole.status).toBe(201);
    expect(whole.body.data).toMatchObject({ ...WHOLE, default: false });
    const short = await add();
    expect(short.body.data).toMatchObject({ ...ADDRESS, company: null, address2: null, region: null, country: null });
    const { body } = await call(`GET /account/addresses/${short.body.data.id}`, { as: user.token });
    expect(body.data).toEqual(short.body.data);
    expect(short.headers.get("Location")).toBe(`/api/v1/user/account/addresses/${short.body.data.id}`);
  });

  it("has at most one default, which comes first", async () => {
    const first = await idOf({ default: true });
    const second = await idOf();
    const third = await idOf({ default: true });
    const defaults = async () => (await all()).map((one: { id: number; default: boolean }) => [one.id, one.default]);
    expect(await defaults()).toEqual([
      [third, true],
      [second, false],
      [first, false],
    ]);
    await change(first, { default: true });
    expect(await defaults()).toEqual([
      [first, true],
      [third, false],
      [second, false],
    ]);
    await change(first, { default: false });
    expect((await defaults()).map(([, isDefault]: [number, boolean]) => isDefault)).toEqual([false, false, false]);
    const twice = env.DB.prepare("UPDATE addresses SET is_default = 1 WHERE user_id = ?").bind(user.id);
    await twice.run();
    expect(await db.$count(addresses, eq(addresses.isDefault, true))).toBe(1);
  });

  it("changes only what is sent, and clears a part with null", async () => {
    const { body } = await add(WHOLE);
    const { id } = body.data;
    const changed = await change(id, { city: "Bath", company: null });
    expect(changed.body.data).toMatchObject({ ...WHOLE, city: "Bath", company: null });
    expect((await change(id, {})).status).toBe(400);
    expect((await change(id, { city: null })).body.errors).toHaveProperty("city");
  });

  it("is private to its owner", async () => {
    const id = await idOf();
    const other = await aUser();
    for (const [method, body] of [["GET"], ["PUT", { city: "Bath" }], ["DELETE"]] as const) {
      expect((await call(`${method} /account/addresses/${id}`, { as: other.token, body })).status).toBe(404);
    }
    expect(await all()).toHaveLength(1);
    expect((await call(`DELETE /account/addresses/${id}`, { as: user.token })).status).toBe(204);
    expect((await call(`DELETE /account/addresses/${id}`, { as: user.token })).status).toBe(404);
    expect(await all()).toEqual([]);
  });

  it("is limited to fifty addresses", async () => {
    await db
      .insert(addresses)
      .values(Array.from({ length: 7 }, () => ({ ...ADDRESS, userId: user.id, createdAt: 1, updatedAt: 1 })));
    for (let n = 0; n < 6; n++) {
      await env.DB.prepare(
        "INSERT INTO addresses (user_id, name, address, city, zip, created_at, updated_at) SELECT user_id, name, address, city, zip, 1, 1 FROM addresses WHERE user_id = ? LIMIT 7",
      )
        .bind(user.id)
        .run();
    }
    expect((await add()).status).toBe(201);
    const { status, body } = await add();
    expect([status, body.code]).toEqual([409, "too_many_addresses"]);
  });
});

describe("a postal code", () => {
  it.each([
    ["DE", "D-50667", "50667"],
    ["US", "94103-1234", "94103-1234"],
    ["GB", "sw1y 4jh", "SW1Y 4JH"],
    ["JP", "〒１００－０００１", "100-0001"],
    ["PL", "00950", "00-950"],
    ["IN", "110 001", "110001"],
  ])("of %s is accepted as %s and kept as %s", async (country, written, kept) => {
    expect((await add({ country, zip: written })).body.data.zip).toBe(kept);
  });

  it("is kept as written if its form is not that of the country", async () => {
    expect((await add({ country: "DE", zip: "5066" })).body.data.zip).toBe("5066");
    expect((await add({ zip: "5066" })).body.data.zip).toBe("5066");
    expect((await add({ country: "XX" })).body.errors).toHaveProperty("country");
  });

  it.each([{}, { zip: null }, { zip: "" }])("may be omitted if the country has none: %o", async (zip) => {
    const { status, body } = await add({ country: "HK", city: "Kowloon", zip: undefined, ...zip });
    expect([status, body.data.zip]).toEqual([201, null]);
  });

  it("is required if the country needs one, and if no country is sent", async () => {
    const { status, body } = await add({ country: "US", zip: "" });
    expect([status, body.errors]).toEqual([400, { zip: ["is required for addresses in United States"] }]);
    expect(body.details).toEqual([{ field: "zip", code: "required" }]);
    expect((await add({ zip: undefined })).body.errors).toEqual({ zip: ["is required"] });
  });

  it("takes the form of the country that results from a change", async () => {
    const id = await idOf({ country: "HK", zip: null });
    expect((await change(id, { country: "PL" })).body.errors).toHaveProperty("zip");
    expect((await change(id, { country: "PL", zip: "00950" })).body.data.zip).toBe("00-950");
    expect((await change(id, { country: "HK", zip: "" })).body.data.zip).toBe(null);
  });
});

describe("a telephone number", () => {
  it("is kept as written, along with its digits", async () => {
    const { body } = await add({ phone: "\u200e(+44) 20\u00a07946 0018 ext. 12 " });
    expect(body.data.phone).toBe("(+44) 20\u00a07946 0018 ext. 12");
    expect(body.data.phone_normalized).toBe("+442079460018;ext=12");
  });
});

describe("an order", () => {
  const place = async (more: object, as = user.token) =>
    call("POST /orders", { as, body: { ...orderOf(await aProduct()), ...more }, headers: onPurpose() });

  it("has all parts of its addresses, or just the four original ones", async () => {
    const { body } = await place({ shipping_address: WHOLE, billing_address: ADDRESS });
    expect(body.data.shipping_address).toEqual(SHOWN);
    expect(body.data.billing_address).toEqual({
      ...ADDRESS,
      company: null,
      address2: null,
      region: null,
      country: null,
      phone: null,
      phone_normalized: null,
      vat_id: null,
    });
  });

  it("copies addresses of the address book, and keeps them when those change", async () => {
    const id = await idOf(WHOLE);
    const sent = { shipping_address: undefined, shipping_address_id: id, billing_address_id: id };
    const { status, body } = await place(sent);
    expect(status).toBe(201);
    await change(id, { city: "Bath" });
    const { body: later } = await call(`GET /account/orders/${body.data.id}`, { as: user.token });
    expect(later.data.shipping_address).toEqual(SHOWN);
    expect(later.data.billing_address).toEqual(SHOWN);
  });

  it("refuses an address that is not in the buyer's book, and charges nothing", async () => {
    const other = await aUser();
    const { body: theirs } = await add({}, other.token);
    const { status, body } = await place({ shipping_address: undefined, shipping_address_id: theirs.data.id });
    expect([status, body.details]).toEqual([400, [{ field: "shipping_address_id", code: "unknown_reference" }]]);
    expect((await call("GET /account/profile", { as: user.token })).body.data.wallet_balance).toBe(1000);
    const billing = await place({ billing_address_id: theirs.data.id });
    expect(billing.body.details).toEqual([{ field: "billing_address_id", code: "unknown_reference" }]);
  });

  it("accepts an address or the id of one, but no id from guests", async () => {
    const id = await idOf();
    const both = await place({ shipping_address_id: id });
    expect([both.status, Object.keys(both.body.errors)]).toEqual([400, ["shipping_address_id"]]);
    const { key } = await aKey();
    const guest = { payment_method: "paypal", shipping_address: undefined, shipping_address_id: id };
    const refused = await place(guest, key);
    expect(refused.body.details).toEqual([{ field: "shipping_address_id", code: "not_applicable" }]);
  });

  it("is a new order if an optional part of an address differs, and otherwise a repeated one", async () => {
    const product = await aProduct();
    const send = (shipping_address: object) =>
      call("POST /orders", { as: user.token, body: orderOf(product, 1, { shipping_address }) });
    expect((await send(WHOLE)).status).toBe(201);
    expect((await send({ ...WHOLE, country: "gb" })).body.code).toBe("order_resent");
    expect((await send({ ...WHOLE, address2: "Third floor" })).status).toBe(201);
  });
});
