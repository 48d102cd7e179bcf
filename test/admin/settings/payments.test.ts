import { env } from "cloudflare:workers";
import { beforeEach, expect, it } from "vitest";
import { DAY_MS } from "../../../src/domain/time.ts";
import { paymentSettings } from "../../../src/platform/db/schema.ts";
import { call, callWith } from "../../support/call.ts";
import { interleaved } from "../../support/faults.ts";
import { expectRefusal } from "../../support/refusal.ts";
import { asAdministrator } from "../../support/settings.ts";
import { aKey, aProduct, aUser, db, onPurpose, orderOf } from "../../support/shop.ts";

let as: string;

beforeEach(async () => {
  as = await asAdministrator();
  await db.delete(paymentSettings);
});

const read = () => call("GET /admin/payment-settings", { as });
const put = (body: unknown, headers: Record<string, string> = {}) =>
  call("PUT /admin/payment-settings", { as, body, headers });

const guest = { customer: { email: "greta@shop.test", name: "Greta" } };

it("offers the wallet, cards, PayPal and bank transfer by default, and keeps fields that a change omits", async () => {
  const unsaved = await read();
  const later = { offered: false, instructions: "", ship_before_payment: true };
  expect(unsaved.body.data).toEqual({
    wallet: { offered: true },
    credit_card: { offered: true, guests: true },
    paypal: { offered: true, guests: true },
    test_card: { offered: true, guests: true },
    connected: { stripe: false, paypal: false, test: false },
    bank_transfer: { offered: true, guests: true, instructions: "", days: 7 },
    invoice: { ...later, guests: false, days: 14 },
    cash: { ...later, guests: true, days: 7 },
    updated_at: null,
  });
  const etag = String(unsaved.headers.get("ETag"));
  const saved = await put({ cash: { offered: true, days: 3 } }, { "If-Match": etag });
  expect(saved.body.data).toMatchObject({
    cash: { offered: true, guests: true, days: 3 },
    invoice: { offered: false },
  });
  expect((await put({ cash: { days: 4 } }, { "If-Match": etag })).status).toBe(412);
  await put({ invoice: { offered: true } }, { "If-Match": String(saved.headers.get("ETag")) });
  expect((await read()).body.data).toMatchObject({ cash: { offered: true, days: 3 }, invoice: { offered: true } });
  const log = (await call("GET /admin/audit-log?subject=payment_settings", { as })).body.data;
  expect(log.map(({ action, before, after }: Record<string, unknown>) => [action, before, after])).toEqual([
    ["payment_settings.update", { "invoice.offered": false }, { "invoice.offered": true }],
    ["payment_settings.create", null, expect.objectContaining({ "cash.offered": true, "cash.days": 3 })],
  ]);
});

it("names the fields that it refuses, and changes nothing", async () => {
  const wrong = {
    wallet: { guests: true },
    invoice: { days: 0 },
    bank_transfer: { instructions: "x".repeat(501) },
    barter: { offered: true },
  };
  const { status, body } = await put(wrong);
  expect(status).toBe(400);
  expect(body.details.map(({ field }: { field: string }) => field).toSorted()).toEqual([
    "bank_transfer.instructions",
    "barter",
    "invoice.days",
    "wallet.guests",
  ]);
  expect((await read()).body.data.updated_at).toBeNull();
});

it("refuses the second of two first saves at the same moment", async () => {
  const DB = interleaved(env.DB, () => put({ cash: { offered: true } }));
  const late = await callWith({ DB }, "PUT /admin/payment-settings", { as, body: { cash: { days: 9 } } });
  expect(late.status).toBe(409);
  expect((await read()).body.data.cash).toMatchObject({ offered: true, days: 7 });
});

it("refuses a method that is no longer offered, to accounts and guests, even with cached rules", async () => {
  const [user, product, { key }] = [await aUser(), await aProduct({ stock: 50 }), await aKey()];
  const order = (payment_method: string) =>
    call("POST /orders", {
      as: user.token,
      body: orderOf(product, 1, { payment_method }),
      headers: onPurpose(),
    });
  expect((await order("credit_card")).status).toBe(201);
  await put({ credit_card: { offered: false }, invoice: { offered: true } });
  const notOffered = { field: "payment_method", code: "method_not_offered" };
  for (const method of ["credit_card", "cash", "test_card"]) {
    const answer = await order(method);
    expectRefusal(answer, 400, "payment_method");
    expect(answer.body).toMatchObject({ code: "method_not_offered", details: [notOffered] });
  }
  expect((await order("invoice")).status).toBe(201);
  const asGuest = { as: key, body: orderOf(product, 1, { payment_method: "invoice", ...guest }) };
  const toGuest = await call("POST /orders", asGuest);
  expectRefusal(toGuest, 400, "payment_method");
  expect(toGuest.body.code).toBe("account_required");
  const items = [{ product_id: product.id, quantity: 1 }];
  const quoted = await call("POST /checkout/quote", { as: key, body: { items, payment_method: "cash" } });
  expect(quoted.body.data.problems).toContainEqual(expect.objectContaining(notOffered));
});

it("lists the methods of a checkout with the shop's instructions, without those that nobody can use", async () => {
  const instructions = "IBAN DE02 1203 0000 0000 2020 51";
  await put({ bank_transfer: { instructions }, cash: { offered: true, guests: false }, wallet: { offered: false } });
  const body = { items: [{ product_id: (await aProduct()).id, quantity: 1 }] };
  const offered = async () =>
    (await call("POST /checkout/quote", { as: (await aUser()).token, body })).body.data.payment_options;
  const cash = { method: "cash", instructions: "", guests: false, days: 7, test: false };
  expect(await offered()).toEqual([
    {
      method: "bank_transfer",
      label: "Bank transfer",
      instructions,
      guests: true,
      days: 7,
      ship_before_payment: false,
      test: false,
    },
    { ...cash, label: "Cash on delivery", ship_before_payment: true },
  ]);
  await put({ cash: { ship_before_payment: false } });
  expect(await offered()).toContainEqual({ ...cash, label: "Cash", ship_before_payment: false });
});

it("holds an order by bank transfer for its days, with payment instructions until it is paid", async () => {
  await put({ bank_transfer: { instructions: "To IBAN 1", days: 3 } });
  const [{ token }, product] = [await aUser(), await aProduct()];
  const placed = await call("POST /orders", {
    as: token,
    body: orderOf(product, 1, { payment_method: "bank_transfer" }),
  });
  expect(placed.body.data).toMatchObject({
    status: "pending",
    payment_status: "unpaid",
    payment_method: "bank_transfer",
    payment: { provider: null, next_action: null, instructions: "To IBAN 1" },
  });
  const { id, created_at, expires_at } = placed.body.data;
  expect(Date.parse(expires_at) - Date.parse(created_at)).toBe(3 * DAY_MS);
  const list = await call("GET /admin/orders?payment_method=bank_transfer", { as });
  expect(list.body.data.map((order: { id: number }) => order.id)).toContain(id);
  await call(`PUT /admin/orders/${id}`, { as, body: { payment_status: "paid" } });
  const paid = (await call(`GET /account/orders/${id}`, { as: token })).body.data;
  expect(paid).toMatchObject({ status: "processing", payment_status: "paid", payment: { instructions: null } });
  const [charge] = (await call("GET /admin/transactions?method=bank_transfer", { as })).body.data;
  expect(charge).toMatchObject({ order_id: id, kind: "charge", method: "bank_transfer" });
});
