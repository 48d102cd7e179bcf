import { env } from "cloudflare:workers";
import { beforeAll, expect, it } from "vitest";
import { aSendingShop } from "../support/emails.ts";
import { brokenInvariants } from "../support/invariants.ts";
import { aListedGame, LICENSE, someKeys, upload, withdraw } from "../support/license-keys.ts";
import { LONG } from "../support/long.ts";
import { pay, productNow } from "../support/orders.ts";
import { asAdministrator } from "../support/settings.ts";
import { aKey, aParent, aProduct, aUser, aVariant, onPurpose, orderOf } from "../support/shop.ts";

const { call, received } = aSendingShop();
let admin: string;
let key: string;

beforeAll(async () => {
  admin = await asAdministrator();
  key = (await aKey()).key;
});

const stockOf = async (id: number) => (await productNow(id))?.stockQuantity;

const textsOf = async (as: string, query = "") =>
  (await call(`GET /account/license-keys${query}`, { as })).body.data.map(({ key: text }: { key: string }) => text);

const validate = async (license_key: string) =>
  (await call("POST /licenses/validate", { body: { license_key } })).body.data;

it("sells the keys of a list in their order, and shows each to its buyer only", async () => {
  const keys = someKeys(3);
  const game = await aListedGame(keys);
  expect(await stockOf(game.id)).toBe(3);
  const user = await aUser({ wallet: 10_000 });
  await call("POST /orders", { as: user.token, body: orderOf(game, 2) });
  expect(await textsOf(user.token)).toEqual([keys[1], keys[0]]);
  expect(await stockOf(game.id)).toBe(1);
  const other = await aUser({ wallet: 10_000 });
  await call("POST /orders", { as: other.token, body: orderOf(game) });
  expect(await textsOf(other.token)).toEqual([keys[2]]);
  const refused = await call("POST /orders", { as: other.token, body: orderOf(game), headers: onPurpose() });
  expect([refused.status, refused.body.details]).toMatchObject([400, [{ code: "insufficient_stock", available: 0 }]]);
  await upload(game.id, someKeys(1));
  expect(await stockOf(game.id)).toBe(1);
});

it("stores no key in plain text, activates a sold one however it is typed, and does not know an unsold one", async () => {
  const [sold = "", unsold = ""] = someKeys(2);
  const game = await aListedGame([sold, unsold]);
  const user = await aUser({ wallet: 10_000 });
  await call("POST /orders", { as: user.token, body: orderOf(game) });
  const rows = await env.DB.batch(
    ["uploaded_license_keys", "license_keys", "audit_log", "stock_adjustments"].map((table) =>
      env.DB.prepare(`SELECT * FROM ${table}`),
    ),
  );
  expect(JSON.stringify(rows)).not.toContain("C3d4");
  expect(await validate(sold)).toMatchObject({ valid: true, license_key: { product_id: game.id } });
  expect(await validate(` ${sold.toLowerCase().replaceAll("-", " ")}`)).toMatchObject({ valid: true });
  const body = { license_key: sold, instance_name: "PC" };
  expect((await call("POST /licenses/activate", { body })).body.data).toMatchObject({ valid: true });
  for (const wrong of [unsold, `${sold}5`, sold.slice(1)]) {
    expect(await validate(wrong), wrong).toMatchObject({ code: "unknown", license_key: null });
  }
});

it("gives a guest the key by e-mail", async () => {
  const [text = ""] = someKeys(1);
  const game = await aListedGame([text]);
  const customer = { email: "gamer@example.test", name: "Greta Guest" };
  const body = orderOf(game, 1, { payment_method: "paypal", customer });
  const { data: order } = (await call("POST /orders", { as: key, body })).body;
  expect([await stockOf(game.id), await textsOf(key, `?order_id=${order.id}`)]).toEqual([0, []]);
  await call(`PUT /admin/orders/${order.id}`, { as: admin, body: { payment_status: "paid" } });
  const letter = received(customer.email).find(({ subject }) => subject.includes("license keys"));
  expect(letter?.text).toContain(text);
});

it(
  "sells a list of 7 keys to 7 of 50 buyers at the same instant, and refuses the others before they pay",
  LONG,
  async () => {
    const game = await aListedGame(someKeys(7));
    const buyers = await Promise.all(Array.from({ length: 50 }, () => aUser({ wallet: 500 })));
    const answers = await Promise.all(
      buyers.map(({ token }, n) =>
        call("POST /orders", { as: token, body: orderOf(game, 1, { payment_method: n % 2 ? "wallet" : "paypal" }) }),
      ),
    );
    const placed = answers.filter(({ status }) => status === 201).map(({ body }) => body.data);
    const refused = answers.filter(({ status }) => status !== 201);
    expect([placed.length, refused.length]).toEqual([7, 43]);
    expect(new Set(refused.map(({ body }) => body.details[0].code))).toEqual(new Set(["insufficient_stock"]));
    for (const { id, payment_status } of placed) if (payment_status !== "paid") await pay(id);
    const owners = buyers.filter((_, n) => answers[n]?.status === 201);
    const shown = (await Promise.all(owners.map(({ token }) => textsOf(token)))).flat();
    expect([shown.length, new Set(shown).size]).toEqual([7, 7]);
    expect(await stockOf(game.id)).toBe(0);
    expect(await brokenInvariants()).toEqual({});
  },
);

it("releases the key of an unpaid order that is cancelled, and never sells one again that was paid for", async () => {
  const game = await aListedGame(someKeys(2), { type: "physical" });
  const user = await aUser({ wallet: 500 });
  const place = async (payment_method: string) =>
    (await call("POST /orders", { as: user.token, body: orderOf(game, 1, { payment_method }), headers: onPurpose() }))
      .body.data;
  const unpaid = await place("paypal");
  expect(await stockOf(game.id)).toBe(1);
  await call(`PUT /admin/orders/${unpaid.id}`, { as: admin, body: { status: "cancelled" } });
  expect(await stockOf(game.id)).toBe(2);
  const paid = await place("wallet");
  const refund = { restock: true };
  const { status } = await call(`POST /admin/orders/${paid.id}/refunds`, { as: admin, body: refund });
  expect([status, await stockOf(game.id)]).toEqual([200, 1]);
  expect(await validate((await textsOf(user.token))[0])).toMatchObject({ code: "revoked" });
});

it("refuses a list with repeated, known or short keys by their place, and adds none of them", async () => {
  const [known = "", ...keys] = someKeys(3);
  const game = await aListedGame([known]);
  const repeated = await upload(game.id, [...keys, String(keys[0]).toLowerCase()]);
  expect([repeated.status, repeated.body.details]).toMatchObject([
    400,
    [{ field: "license_keys.2", code: "repeated" }],
  ]);
  expect(JSON.stringify(repeated.body)).toContain("repeats key 1 of the list");
  const other = await aListedGame([]);
  for (const { id } of [game, other]) {
    const { status, body } = await upload(id, [...keys, known]);
    expect([status, body.details]).toMatchObject([400, [{ field: "license_keys.2", code: "repeated" }]]);
  }
  const short = await upload(game.id, [...keys, "ABC-123"]);
  expect([short.status, short.body.details]).toMatchObject([400, [{ field: "license_keys.2", code: "invalid" }]]);
  expect([await stockOf(game.id), await stockOf(other.id)]).toEqual([1, 0]);
  expect((await upload(game.id, keys)).body.data.stock_quantity).toBe(3);
});

it("withdraws unsold keys, which can be added again, and none that are sold, held or unknown", async () => {
  const [sold = "", held = "", ...wrong] = someKeys(5);
  const game = await aListedGame([sold, held, ...wrong]);
  const user = await aUser({ wallet: 500 });
  await call("POST /orders", { as: user.token, body: orderOf(game) });
  const unpaid = { as: user.token, body: orderOf(game, 1, { payment_method: "paypal" }), headers: onPurpose() };
  const { data: order } = (await call("POST /orders", unpaid)).body;

  const mixed = await withdraw(game.id, [wrong[0] ?? "", sold, "GAME-9-unknown"]);
  expect([mixed.status, mixed.body.details]).toMatchObject([
    400,
    [
      { field: "withdrawn_license_keys.1", code: "unknown_reference" },
      { field: "withdrawn_license_keys.2", code: "unknown_reference" },
    ],
  ]);
  const all = await withdraw(game.id, [held, ...wrong]);
  expect([all.status, all.body.details]).toMatchObject([400, [{ code: "negative_stock" }]]);
  const twice = await withdraw(game.id, [String(wrong[0]), String(wrong[0]).toLowerCase()]);
  expect([twice.status, twice.body.details]).toMatchObject([400, [{ code: "repeated" }]]);
  const generated = await aProduct({ license: LICENSE });
  expect((await withdraw(generated.id, wrong)).body.details).toMatchObject([{ code: "not_applicable" }]);
  expect((await withdraw((await aListedGame([])).id, wrong)).status).toBe(400);
  expect(await stockOf(game.id)).toBe(3);

  expect((await withdraw(game.id, wrong)).body.data.stock_quantity).toBe(0);
  const { data: adjustments } = (await call(`GET /admin/products/${game.id}/stock`, { as: admin })).body;
  expect(adjustments).toMatchObject([{ delta: -3, reason: "Wrong list" }, { delta: 5 }]);
  await pay(order.id);
  expect(await textsOf(user.token)).toEqual([held, sold]);
  expect((await upload(game.id, wrong)).body.data.stock_quantity).toBe(3);
  expect(await brokenInvariants()).toEqual({});
});

it("never loses a key to its buyer when it is sold and withdrawn at the same instant", async () => {
  const keys = someKeys(4);
  const game = await aListedGame(keys);
  const buyers = await Promise.all(keys.map(() => aUser({ wallet: 500 })));
  const [withdrawn, ...orders] = await Promise.all([
    withdraw(game.id, keys.slice(2)),
    ...buyers.map(({ token }) => call("POST /orders", { as: token, body: orderOf(game) })),
  ]);
  const placed = orders.filter(({ status }) => status === 201).length;
  const left = withdrawn?.status === 200 ? 2 : 4;
  expect(placed).toBeLessThanOrEqual(left);
  const shown = (await Promise.all(buyers.map(({ token }) => textsOf(token)))).flat();
  expect([shown, await stockOf(game.id)]).toEqual([expect.objectContaining({ length: placed }), left - placed]);
  expect(await brokenInvariants()).toEqual({});
});

it("refuses to delete a sold key in the database", async () => {
  const game = await aListedGame(someKeys(1));
  const user = await aUser({ wallet: 500 });
  await call("POST /orders", { as: user.token, body: orderOf(game) });
  const removal = env.DB.prepare("DELETE FROM uploaded_license_keys WHERE product_id = ?").bind(game.id).run();
  await expect(removal).rejects.toThrow("rows_stay");
});

it("refuses keys for a product that generates them, and a stock that is not the number of keys", async () => {
  const generated = await aProduct({ license: LICENSE });
  const wrong = await upload(generated.id, someKeys(1));
  expect([wrong.status, wrong.body.details]).toMatchObject([400, [{ field: "license_keys", code: "not_applicable" }]]);
  expect((await upload(999_999, someKeys(1))).status).toBe(404);
  const game = await aListedGame(someKeys(2));
  for (const change of [{ delta: 5 }, { delta: -1 }, { quantity: 9 }]) {
    const body = { ...change, reason: "Counted" };
    const { status, body: refused } = await call(`POST /admin/products/${game.id}/stock`, { as: admin, body });
    expect([status, refused.details], JSON.stringify(change)).toMatchObject([400, [{ code: "stock_not_managed" }]]);
  }
  expect(await stockOf(game.id)).toBe(2);
});

it("counts the keys as stock from when a product uses a list, also for its variants", async () => {
  const license = { ...LICENSE, source: "uploaded" };
  const box = await aProduct({ stock: 40, license: LICENSE, type: "physical", price: 500 });
  const user = await aUser({ wallet: 500 });
  const { data: earlier } = (
    await call("POST /orders", { as: user.token, body: orderOf(box, 1, { payment_method: "paypal" }) })
  ).body;
  const update = (body: object) => call(`PUT /admin/products/${box.id}`, { as: admin, body });
  expect((await update({ license })).body.data).toMatchObject({ manage_stock: true, stock_quantity: 0 });
  await upload(box.id, someKeys(2));
  const unmanaged = await update({ manage_stock: false });
  expect([unmanaged.status, unmanaged.body.details]).toMatchObject([400, [{ code: "stock_not_managed" }]]);
  expect(await stockOf(box.id)).toBe(2);
  await call(`PUT /admin/orders/${earlier.id}`, { as: admin, body: { status: "cancelled" } });
  expect(await stockOf(box.id)).toBe(2);

  const parent = await aParent({ type: "digital", license: LICENSE });
  const variant = await aVariant(parent, { type: "digital", stock: 40, inherits: ["license"], license: LICENSE });
  await call(`PUT /admin/products/${parent.id}`, { as: admin, body: { license } });
  expect(await stockOf(variant.id)).toBe(0);
  await upload(variant.id, someKeys(1));
  expect(await stockOf(variant.id)).toBe(1);
  expect((await upload(parent.id, someKeys(1))).body.details).toMatchObject([{ code: "stock_not_managed" }]);
});

it("gives a test order a generated key and takes none of the list", async () => {
  const keys = someKeys(1);
  const game = await aListedGame(keys, { price: 0 });
  const { key: testKey } = await aKey({ test: true });
  const customer = { email: "tester@example.test", name: "Tess Tester" };
  const body = orderOf(game, 1, { payment_method: "test_card", customer });
  expect((await call("POST /orders", { as: testKey, body })).status).toBe(201);
  const [text] = await textsOf(testKey);
  expect(text).toMatch(/^FONT-/);
  expect(await stockOf(game.id)).toBe(1);
});

it("lets staff find a sold key by its first half", async () => {
  const [text = ""] = someKeys(1);
  const game = await aListedGame([text]);
  const user = await aUser({ wallet: 500 });
  await call("POST /orders", { as: user.token, body: orderOf(game) });
  const start = text.slice(0, 6);
  const { data } = (await call(`GET /admin/license-keys?key_start=${start}&user_id=${user.id}`, { as: admin })).body;
  expect(data).toMatchObject([{ product_id: game.id, user_id: user.id }]);
  expect(JSON.stringify(data)).not.toContain("C3d4");
  expect((await call("GET /admin/license-keys?key_start=ZZZZZZ", { as: admin })).body.data).toEqual([]);
});
