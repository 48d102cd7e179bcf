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
  it("keeps all parts of an address, and null for those that were not sent", async () => {
    const whole = await add(WHOLE);
    expect(whole.status).toBe(201);
    expect(whole.body.data).toMatchObject({ ...WHOLE, default: false });
    const short = await add();
    expect(short.body.data).toMatchObject({ ...ADDRESS, company: null, address2: null, region: null, country: null });
    const { body } = await call(`GET /account/addresses/${short.body.data.id}`, { as: user.token });
    expect(body.data).toEqual(short.body.data);
    expect(short.headers.get("Location")).toBe(`/api/v1/user/account/addresses/${short.body.data.id}`);
  });

  it("has one default at most, which comes first", async () => {
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

  it("changes what is sent and nothing else, and clears a part with null", async () => {
    const { body } = await add(WHOLE);
    const { id } = body.data;
    const changed = await change(id, { city: "Bath", company: null });
    expect(changed.body.data).toMatchObject({ ...WHOLE, city: "Bath", company: null });
    expect((await change(id, {})).status).toBe(400);
    expect((await change(id, { city: null })).body.errors).toHaveProperty("city");
  });

  it("is its owner's alone", async () => {
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

  it("ends at fifty", async () => {
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
    ["DE", "50667", "5066"],
    ["US", "94103-1234", "9410"],
    ["GB", "SW1Y 4JH", "12345"],
    ["NL", "1012 AB", "1012"],
  ])("of %s may be %s and not %s", async (country, right, wrong) => {
    expect((await add({ country, zip: right })).status).toBe(201);
    const { status, body } = await add({ country, zip: wrong });
    expect([status, Object.keys(body.errors)]).toEqual([400, ["zip"]]);
  });

  it("is anything where the country is not known, or has none", async () => {
    expect((await add({ zip: "5066" })).status).toBe(201);
    expect((await add({ country: "AE", zip: "-" })).status).toBe(201);
    expect((await add({ country: "gb" })).body.data.country).toBe("GB");
    expect((await add({ country: "XX" })).body.errors).toHaveProperty("country");
  });

  it("has to fit the country that a change leaves", async () => {
    const id = await idOf({ zip: "50667" });
    expect((await change(id, { country: "GB" })).body.errors).toEqual({ zip: ["is no postal code of the country"] });
    expect((await change(id, { country: "GB", zip: "SW1Y 4JH" })).status).toBe(200);
    expect((await change(id, { zip: "50667" })).status).toBe(400);
  });
});

describe("an order", () => {
  const place = async (more: object, as = user.token) =>
    call("POST /orders", { as, body: { ...orderOf(await aProduct()), ...more }, headers: onPurpose() });

  it("has all parts of its addresses, with only the four that there always were", async () => {
    const { body } = await place({ shipping_address: WHOLE, billing_address: ADDRESS });
    expect(body.data.shipping_address).toEqual(WHOLE);
    expect(body.data.billing_address).toEqual({
      ...ADDRESS,
      company: null,
      address2: null,
      region: null,
      country: null,
      phone: null,
    });
  });

  it("copies addresses of the address book, and keeps them when those change", async () => {
    const id = await idOf(WHOLE);
    const sent = { shipping_address: undefined, shipping_address_id: id, billing_address_id: id };
    const { status, body } = await place(sent);
    expect(status).toBe(201);
    await change(id, { city: "Bath" });
    const { body: later } = await call(`GET /account/orders/${body.data.id}`, { as: user.token });
    expect(later.data.shipping_address).toEqual(WHOLE);
    expect(later.data.billing_address).toEqual(WHOLE);
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

  it("takes an address or the id of one, and of guests no id", async () => {
    const id = await idOf();
    const both = await place({ shipping_address_id: id });
    expect([both.status, Object.keys(both.body.errors)]).toEqual([400, ["shipping_address_id"]]);
    const { key } = await aKey();
    const guest = { payment_method: "paypal", shipping_address: undefined, shipping_address_id: id };
    const refused = await place(guest, key);
    expect(refused.body.details).toEqual([{ field: "shipping_address_id", code: "not_applicable" }]);
  });

  it("is another order where an optional part of an address differs, and else the same once more", async () => {
    const product = await aProduct();
    const send = (shipping_address: object) =>
      call("POST /orders", { as: user.token, body: orderOf(product, 1, { shipping_address }) });
    expect((await send(WHOLE)).status).toBe(201);
    expect((await send({ ...WHOLE, country: "gb" })).body.code).toBe("order_resent");
    expect((await send({ ...WHOLE, address2: "Third floor" })).status).toBe(201);
  });
});
