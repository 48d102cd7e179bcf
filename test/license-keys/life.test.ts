import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { afterEach, beforeAll, expect, it, vi } from "vitest";
import { licenseKeys, users } from "../../src/platform/db/schema.ts";
import { callWith } from "../support/call.ts";
import { counted } from "../support/counting.ts";
import { aSendingShop, tokenIn } from "../support/emails.ts";
import { LICENSE } from "../support/license-keys.ts";
import { asAdministrator } from "../support/settings.ts";
import { aKey, aParent, aProduct, aUser, aVariant, db, onPurpose, orderOf } from "../support/shop.ts";

const { call, received } = aSendingShop();
let key: string;
let guests = 0;

beforeAll(async () => {
  key = (await aKey()).key;
});

afterEach(() => void vi.useRealTimers());

const FORM = /^FONT(-[0-9A-HJKMNP-TV-Z]{4}){6}$/;

const aFont = (license: object = {}) =>
  aProduct({ type: "digital", stock: null, price: 500, license: { ...LICENSE, ...license } });

/** An account's paid order of a font, with its keys. */
async function aPurchase({ units = 1, license = {} } = {}) {
  const user = await aUser({ wallet: 100_000 });
  const { body } = await call("POST /orders", { as: user.token, body: orderOf(await aFont(license), units) });
  const keys = await keysOf(user.token);
  return { user, order: body.data, keys, text: String(keys[0]?.key) };
}

const keysOf = async (as: string, query = "") => (await call(`GET /account/license-keys${query}`, { as })).body.data;

const ask = async (verb: "activate" | "validate" | "deactivate", body: object) => {
  const { status, body: answered } = await call(`POST /licenses/${verb}`, { body });
  expect(status).toBe(200);
  return answered.data;
};

const validate = (text: string, instance_id?: string) => ask("validate", { license_key: text, instance_id });
const activate = (text: string, instance_id?: string) =>
  ask("activate", { license_key: text, instance_name: "Laptop", instance_id });

const refund = async (order: { id: number; items: { id: number }[] }, quantity = 1) => {
  const body = { items: [{ id: order.items[0]?.id, quantity }] };
  return call(`POST /admin/orders/${order.id}/refunds`, { as: await asAdministrator(), body });
};

it("issues a key for each unit of an order that is paid at once, and stores none of them", async () => {
  const { keys, order } = await aPurchase({ units: 3 });
  expect(keys).toHaveLength(3);
  expect(new Set(keys.map(({ key: text }: { key: string }) => text)).size).toBe(3);
  for (const { key: text, ...rest } of keys) {
    expect(text).toMatch(FORM);
    expect(rest).toMatchObject({
      order_id: order.id,
      status: "active",
      activation_limit: 2,
      activations: 0,
      test: false,
    });
    expect(Date.parse(rest.updates_until) - Date.parse(rest.created_at)).toBe(365 * 24 * 60 * 60_000);
  }
  const { results } = await env.DB.prepare("SELECT * FROM license_keys").all();
  const stored = JSON.stringify(results);
  for (const { key: text } of keys) {
    const secretHalf = text.split("-").slice(4);
    expect(secretHalf.filter((group: string) => stored.includes(group))).toEqual([]);
  }
  expect(await keysOf((await aUser()).token)).toEqual([]);
});

it("gives a guest the key once the order is paid: by e-mail, by its link, to the key's server, and later to the account", async () => {
  const email = `guest-${++guests}@example.test`;
  const product = await aFont();
  const body = orderOf(product, 1, { payment_method: "paypal", customer: { email, name: "Greta Guest" } });
  const { data: order } = (await call("POST /orders", { as: key, body })).body;
  expect(await keysOf(key, `?order_id=${order.id}`)).toEqual([]);
  const as = await asAdministrator();
  await call(`PUT /admin/orders/${order.id}`, { as, body: { payment_status: "paid" } });
  const [{ key: text }] = await keysOf(key, `?order_id=${order.id}`);
  const letter = received(email).find(({ subject }) => subject.includes("license keys"));
  expect(letter?.text).toContain(text);
  const token = tokenIn(letter ?? { text: "" });
  const linked = () => call("POST /orders/link", { body: { token } });
  expect((await linked()).body.data.license_keys).toMatchObject([{ key: text, status: "active" }]);
  const page = await call(`GET https://shop.test/account/order?token=${encodeURIComponent(token)}`);
  expect(page.body).toContain(text);
  expect(await activate(text, "one")).toMatchObject({ valid: true, instance: { name: "Laptop" } });
  const forwarded = (await linked()).body.data;
  expect(forwarded.license_keys).toMatchObject([{ activations: 1 }]);
  expect(JSON.stringify(forwarded)).not.toContain("Laptop");

  const user = await aUser({ email, emailVerifiedAt: null });
  expect(await keysOf(user.token)).toEqual([]);
  await db.update(users).set({ emailVerifiedAt: Date.now() }).where(eq(users.id, user.id));
  expect(await keysOf(user.token)).toMatchObject([{ key: text }]);
  expect((await linked()).body.data.license_keys).toEqual([]);
});

it("asks a guest for an e-mail address, to which the key is sent", async () => {
  const { status, body } = await call("POST /orders", {
    as: key,
    body: orderOf(await aFont(), 1, { payment_method: "paypal" }),
  });
  expect([status, body.details]).toMatchObject([400, [{ field: "customer.email", code: "required" }]]);
});

it("activates a key on as many devices as it allows, counts each device once, and frees it by deactivation", async () => {
  const { text, user } = await aPurchase();
  expect(await activate(text, "one")).toMatchObject({ valid: true, instance: { id: "one", name: "Laptop" } });
  expect(await activate(text, "one")).toMatchObject({ valid: true, license_key: { activations: 1 } });
  const random = await activate(text);
  expect(random).toMatchObject({ valid: true, license_key: { activations: 2 } });
  expect(await activate(text, "three")).toMatchObject({
    valid: false,
    code: "activation_limit_reached",
    instance: null,
  });
  expect(await activate(text, "one")).toMatchObject({ valid: true, license_key: { activations: 2 } });
  expect(await validate(text, random.instance.id)).toMatchObject({ valid: true });
  expect(await validate(text, "three")).toMatchObject({ valid: false, code: "not_activated" });
  expect((await keysOf(user.token))[0].instances).toHaveLength(2);
  expect(await ask("deactivate", { license_key: text, instance_id: "one" })).toMatchObject({
    valid: true,
    instance: null,
  });
  expect(await ask("deactivate", { license_key: text, instance_id: "one" })).toMatchObject({ code: "not_activated" });
  expect(await validate(text, "one")).toMatchObject({ valid: false, code: "not_activated" });
  expect(await activate(text, "three")).toMatchObject({ valid: true });
});

it("shows twenty devices of each key in the administration's list, and all of them by id", async () => {
  const { text, keys } = await aPurchase({ license: { activation_limit: 25 } });
  for (let n = 0; n < 25; n++) await activate(text, `device-${n}`);
  const as = await asAdministrator();
  const { data } = (await call(`GET /admin/license-keys?key_start=${text.slice(0, 19)}`, { as })).body;
  expect([data[0].activations, data[0].instances.length]).toEqual([25, 20]);
  const { data: found } = (await call(`GET /admin/license-keys/${keys[0].id}`, { as })).body;
  expect(found.instances).toHaveLength(25);
});

it("activates no more devices than the key allows when all of them ask at the same instant", async () => {
  const { text } = await aPurchase({ license: { activation_limit: 3 } });
  const answers = await Promise.all(Array.from({ length: 12 }, (_, n) => activate(text, `device-${n}`)));
  expect(answers.filter(({ valid }) => valid)).toHaveLength(3);
  const refused = answers.filter(({ valid }) => !valid).map(({ code }) => code);
  expect(refused).toEqual(Array(9).fill("activation_limit_reached"));
});

it("reads a key in any case and with the usual mistakes, and answers for a key that the shop did not issue", async () => {
  const { text } = await aPurchase();
  expect(await validate(` ${text.toLowerCase().replaceAll("-", " ")} `)).toMatchObject({ valid: true });
  expect(await validate(text.replaceAll("0", "o").replaceAll("1", "l"))).toMatchObject({ valid: true });
  const mistyped = text.slice(0, -1) + (text.endsWith("7") ? "8" : "7");
  const unknown = { valid: false, code: "unknown", license_key: null, instance: null };
  for (const wrong of [mistyped, "FONT", "x", text.slice(5, -5), `${text}A`]) {
    expect(await validate(wrong), wrong).toEqual(unknown);
    expect(await activate(wrong), wrong).toEqual(unknown);
    expect(await ask("deactivate", { license_key: wrong, instance_id: "one" }), wrong).toEqual(unknown);
  }
});

it("answers without the database for a guessed key, and for a key that was read in the last minute", async () => {
  const { text } = await aPurchase();
  await activate(text, "one");
  const trips = async (license_key: string, instance_id?: string) => {
    const watched = counted();
    const { body } = await callWith(watched.bindings, "POST /licenses/validate", {
      body: { license_key, instance_id },
    });
    return [watched.trips.d1, body.data.code];
  };
  expect(await trips(`${text.slice(0, -4)}0000`)).toEqual([0, "unknown"]);
  expect(await trips(text, "one")).toEqual([1, "valid"]);
  expect(await trips(text, "one")).toEqual([0, "valid"]);
  expect(await trips(text, "two")).toEqual([1, "not_activated"]);
  expect(await trips(text, "two")).toEqual([1, "not_activated"]);
});

it("ends a key with the refund of its unit, everywhere within a minute, and keeps the one in use", async () => {
  const { keys, order, user } = await aPurchase({ units: 2 });
  const [unused, used] = [keys[1].key, keys[0].key];
  await activate(used, "one");
  for (const text of [unused, used]) expect((await validate(text)).valid).toBe(true);
  expect((await refund(order)).status).toBe(200);
  vi.useFakeTimers({ now: Date.now() + 61_000, toFake: ["Date"] });
  expect(await validate(unused)).toMatchObject({ valid: false, code: "revoked" });
  expect(await activate(unused, "two")).toMatchObject({ valid: false, code: "revoked" });
  expect(await validate(used, "one")).toMatchObject({ valid: true });
  await refund(order);
  vi.setSystemTime(Date.now() + 61_000);
  expect(await validate(used, "one")).toMatchObject({ valid: false, code: "revoked" });
  expect((await keysOf(user.token)).map(({ status }: { status: string }) => status)).toEqual(["revoked", "revoked"]);
  expect(await ask("deactivate", { license_key: used, instance_id: "one" })).toMatchObject({ code: "revoked" });
});

it("expires a key at its time, also one that was just read", async () => {
  const { text } = await aPurchase({ license: { valid_days: 1 } });
  await activate(text, "one");
  expect((await validate(text, "one")).valid).toBe(true);
  vi.useFakeTimers({ now: Date.now() + 24 * 60 * 60_000 + 60_000, toFake: ["Date"] });
  expect(await validate(text, "one")).toMatchObject({ valid: false, code: "expired" });
  expect(await activate(text, "two")).toMatchObject({ valid: false, code: "expired" });
});

it("follows an edit of a paid order: added units get keys, removed units lose theirs", async () => {
  const user = await aUser({ wallet: 100_000 });
  const box = await aProduct({ price: 500, license: LICENSE });
  const { data: order } = (await call("POST /orders", { as: user.token, body: orderOf(box, 2) })).body;
  const as = await asAdministrator();
  const edit = async (quantity: number) => {
    const items = [{ id: order.items[0].id, quantity }];
    const body = { items, expected_total: 5 * quantity };
    const answer = await call(`POST /admin/orders/${order.id}/edits`, { as, headers: onPurpose(), body });
    expect(answer.body).toMatchObject({ status: "success" });
    return (await keysOf(user.token)).map(({ status }: { status: string }) => status).toSorted();
  };
  const letters = () => received(user.email).filter(({ subject }) => subject.includes("license keys"));
  expect(letters()).toHaveLength(1);
  expect(await edit(3)).toEqual(["active", "active", "active"]);
  const [letter, ...others] = letters();
  for (const { key: text } of await keysOf(user.token)) expect(letter?.text).toContain(text);
  expect(others).toEqual([]);
  expect(await edit(1)).toEqual(["active", "revoked", "revoked"]);
  expect(letters()).toEqual([]);
});

it("marks the key of a test order, which no account gets", async () => {
  const { key: testKey } = await aKey({ test: true });
  const { email } = await aUser();
  const product = await aProduct({ type: "digital", stock: null, price: 0, license: LICENSE });
  const body = orderOf(product, 1, { payment_method: "test_card", customer: { email, name: "Greta Guest" } });
  const { data: order } = (await call("POST /orders", { as: testKey, body })).body;
  const [{ key: text }] = await keysOf(testKey, `?order_id=${order.id}`);
  expect(await validate(text)).toMatchObject({ valid: false, code: "unknown", license_key: null });
  expect(await ask("validate", { license_key: text, test: true })).toMatchObject({
    valid: true,
    license_key: { test: true },
  });
  const sent = { license_key: text, instance_name: "A device" };
  expect((await call("POST /licenses/activate", { body: sent })).body.data.code).toBe("unknown");
  expect((await call("POST /licenses/activate", { body: { ...sent, test: true } })).body.data.code).toBe("valid");
  const [stored] = await db.select().from(licenseKeys).where(eq(licenseKeys.orderId, order.id));
  expect(stored?.userId).toBeNull();
});

it("keeps an order from being cancelled while its key is in use", async () => {
  const user = await aUser({ wallet: 10_000 });
  const product = await aProduct({ type: "digital", stock: null, price: 500, license: LICENSE });
  const parcel = await aProduct({ price: 500 });
  const items = [product, parcel].flatMap((each) => orderOf(each).items);
  const body = { ...orderOf(parcel), items };
  const { data: order } = (await call("POST /orders", { as: user.token, body })).body;
  const [{ key }] = await keysOf(user.token);
  await activate(key);
  const refused = await call(`POST /account/orders/${order.id}/cancel`, { as: user.token });
  expect([refused.status, refused.body.code]).toEqual([409, "downloads_used"]);
});

it("sells a variant with the terms of its product", async () => {
  const parent = await aParent({ type: "digital", license: LICENSE });
  const variant = await aVariant(parent, {
    stock: null,
    type: "digital",
    license: { ...LICENSE, activation_limit: 9 },
  });
  const user = await aUser({ wallet: 10_000 });
  await call("POST /orders", { as: user.token, body: orderOf(variant) });
  expect(await keysOf(user.token)).toMatchObject([{ activation_limit: 9, name: `${parent.name} (S / Blue)` }]);
});

it("counts requests by key and by address", async () => {
  const { text } = await aPurchase();
  const statuses = async (count: number, headers: () => Record<string, string>) => {
    const all: number[] = [];
    for (let n = 0; n < count; n++) {
      const body = { license_key: text, instance_id: `none-${n}` };
      all.push((await call("POST /licenses/validate", { body, headers: headers() })).status);
    }
    return all.filter((status) => status === 429).length;
  };
  expect(await statuses(62, () => ({}))).toBe(2);
  const address = { "CF-Connecting-IP": "2001:db8:dead::7" };
  const guess = () => call("POST /licenses/validate", { body: { license_key: "none" }, headers: address });
  const answers = await Promise.all(Array.from({ length: 61 }, guess));
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(1);
});
