import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { expect, it } from "vitest";
import { eraseDueAccounts } from "../../src/accounts/personal-data/erase-due.ts";
import { licenseKeys, users } from "../../src/platform/db/schema.ts";
import { buy, orderNow, packagesOf } from "../payments/support/shop.ts";
import { sent } from "../payments/support/stand-in.ts";
import { payByStripe, stripeAccount, tellStripe } from "../payments/support/stripe.ts";
import { call, callWith } from "../support/call.ts";
import { aGiftCardProduct } from "../support/gift-cards.ts";
import { brokenInvariants } from "../support/invariants.ts";
import { failuresOf } from "../support/jobs.ts";
import { asAdministrator } from "../support/settings.ts";
import { aProduct, aUser, db, onPurpose, orderOf } from "../support/shop.ts";
import { anInvoice, aRenewingFont, aSubscription, bill, billingEvent, inDays, ordersOf, tell } from "./support.ts";

const STRIPE = stripeAccount("attacks");

/** Edits an order as staff do: by its quote, with an id that is used once. */
async function edit(order: { id: number }, items: object[]) {
  const as = await asAdministrator();
  const path = `POST /admin/orders/${order.id}/edits`;
  const quote = await callWith(STRIPE, `${path}/quote`, { as, body: { items } });
  const body = { items, expected_total: quote.body.data?.total ?? 0 };
  return callWith(STRIPE, path, { as, body, headers: onPurpose() });
}

async function aSubscriber() {
  const bought = await buy(STRIPE, { product: await aRenewingFont() });
  const billed = aSubscription(bought.order);
  expect((await tell(STRIPE, "invoice.paid", billed)).status).toBe(200);
  const { userId } = (await orderNow(bought.order.id)) ?? {};
  return { ...bought, billed, userId: userId ?? 0 };
}

/** The next month as Stripe reports it once it is paid. */
function nextMonth(billed: ReturnType<typeof aSubscription>) {
  const invoice = anInvoice({ period_end: inDays(60) });
  billed.invoices.push(invoice);
  billed.current_period_end = invoice.period_end;
  return billed;
}

it("cannot be edited into an order of several things, and charges a new price each month", async () => {
  const { order } = await buy(STRIPE, { product: await aRenewingFont() });
  const [item] = order.items;
  const mug = await aProduct({ price: 500 });
  const others = [await aGiftCardProduct(), mug, await aRenewingFont()];
  for (const { id: product_id } of others) {
    const added = await edit(order, [
      { id: item.id, quantity: 1 },
      { product_id, quantity: 1 },
    ]);
    expect([added.status, added.body.details[0].code]).toEqual([400, "not_applicable"]);
  }
  const twice = await edit(order, [{ id: item.id, quantity: 2 }]);
  expect([twice.status, twice.body.details[0].code]).toEqual([400, "not_applicable"]);
  const cheaper = await edit(order, [{ id: item.id, quantity: 1, unit_price: 5 }]);
  expect([cheaper.status, cheaper.body.data?.total], JSON.stringify(cheaper.body)).toEqual([200, 5]);
  const requests = await sent(order.reference, "POST /v1/checkout/sessions");
  const last = new URLSearchParams(requests.at(-1)?.body);
  expect([last.get("mode"), last.get("line_items[0][price_data][unit_amount]")]).toEqual(["subscription", "500"]);
});

it("cannot be added to an unpaid order of other things", async () => {
  const { order } = await buy(STRIPE, { product: await aProduct({ price: 500 }) });
  const [item] = order.items;
  const font = await aRenewingFont();
  const added = await edit(order, [
    { id: item.id, quantity: 1 },
    { product_id: font.id, quantity: 1 },
  ]);
  expect([added.status, added.body.details[0].code]).toEqual([400, "not_applicable"]);
});

it("charges once a month if an order of another thing is edited into it", async () => {
  const { order } = await buy(STRIPE, { product: await aProduct({ type: "digital", stock: null, price: 500 }) });
  const font = await aRenewingFont();
  const { status, body } = await edit(order, [{ product_id: font.id, quantity: 1 }]);
  expect(status, JSON.stringify(body)).toBe(200);
  const requests = await sent(order.reference, "POST /v1/checkout/sessions");
  expect(new URLSearchParams(requests.at(-1)?.body).get("mode")).toBe("subscription");
});

it.each([
  ["once", "month", "payment"],
  ["each month", null, "subscription"],
  ["each year", "month", "subscription"],
] as const)(
  "opens another payment page if an edit sells what is paid %s, at the same price",
  async (often, renews, mode) => {
    const { order } = await buy(STRIPE, { product: await aRenewingFont({ renews }) });
    const intervals = { once: null, "each month": "month", "each year": "year" } as const;
    const other = await aRenewingFont({ renews: intervals[often] });
    const { status, body } = await edit(order, [{ product_id: other.id, quantity: 1 }]);
    expect([status, body.data?.total], JSON.stringify(body)).toEqual([200, order.total]);
    const requests = await sent(order.reference, "POST /v1/checkout/sessions");
    expect(requests).toHaveLength(2);
    expect(new URLSearchParams(requests.at(-1)?.body).get("mode")).toBe(mode);
  },
);

it("grants no first period by an edit that leaves nothing to pay", async () => {
  const { order } = await buy(STRIPE, { product: await aRenewingFont() });
  const free = await edit(order, [{ id: order.items[0].id, quantity: 1, unit_price: 0 }]);
  expect([free.status, free.body.details?.[0].code], JSON.stringify(free.body)).toEqual([400, "not_applicable"]);
  expect(await orderNow(order.id)).toMatchObject({ status: "pending", paidAt: null });
});

it("is not put in the place of goods that were paid once, which would give a key away that never ends", async () => {
  const { order } = await buy(STRIPE, { product: await aProduct({ price: 1999 }) });
  await payByStripe(STRIPE, order);
  const font = await aRenewingFont();
  const { status, body } = await edit(order, [{ product_id: font.id, quantity: 1 }]);
  expect([status, body.details?.[0].code], JSON.stringify(body)).toEqual([400, "not_applicable"]);
  expect(await orderNow(order.id)).toMatchObject({ status: "processing", total: 1999 });
});

it("renews the product that an edit put in the place of another", async () => {
  const mug = await aProduct({ type: "digital", stock: null, price: 500 });
  const { order, token } = await buy(STRIPE, { product: mug });
  const font = await aRenewingFont();
  await edit(order, [{ product_id: font.id, quantity: 1 }]);
  const billed = aSubscription(order);
  await tell(STRIPE, "invoice.paid", billed);
  await tell(STRIPE, "invoice.paid", nextMonth(billed));
  const [, renewal = 0] = await ordersOf(billed);
  expect(await packagesOf(renewal)).toMatchObject([{ name: font.name }]);
  const { data } = (await call("GET /account/subscriptions", { as: token })).body;
  expect(data).toMatchObject([{ product: { id: font.id }, renews: "month" }]);
});

it("can be marked as paid by hand once an edit has put another product in its place", async () => {
  const { order } = await buy(STRIPE, { product: await aRenewingFont() });
  const lamp = await aProduct({ type: "digital", stock: null, price: 500 });
  expect((await edit(order, [{ product_id: lamp.id, quantity: 1 }])).status).toBe(200);
  const body = { payment_status: "paid" };
  const { status } = await callWith(STRIPE, `PUT /admin/orders/${order.id}`, { as: await asAdministrator(), body });
  expect(status).toBe(200);
});

it("is not marked as paid with many others, which says why", async () => {
  const [font, lamp] = [await aRenewingFont(), await aProduct({ price: 500 })];
  const [{ order }, other] = [await buy(STRIPE, { product: font }), await buy(STRIPE, { product: lamp })];
  const as = await asAdministrator();
  const body = { ids: [order.id, other.order.id], change: { payment_status: "paid" } };
  const { data: job } = (await call("POST /admin/orders/bulk-actions", { as, body })).body;
  expect(job).toMatchObject({ state: "completed", done: 1, failed: 1 });
  expect(await failuresOf(job.id, as)).toMatchObject([{ subject_id: order.id, code: "not_applicable" }]);
});

it("grants for good what was ordered before its product renewed", async () => {
  const [user, font] = [await aUser(), await aRenewingFont({ renews: null })];
  const body = orderOf(font, 1, { payment_method: "bank_transfer" });
  const { data: order } = (await call("POST /orders", { as: user.token, body })).body;
  const as = await asAdministrator();
  expect((await call(`PUT /admin/products/${font.id}`, { as, body: { renews: "month" } })).status).toBe(200);
  await call(`PUT /admin/orders/${order.id}`, { as, body: { payment_status: "paid" } });
  const { data } = (await call("GET /account/packages", { as: user.token })).body;
  expect(data).toMatchObject([{ order_id: order.id, expires_at: null }]);
});

it("books a month that was paid while the account was erased, without its data", async () => {
  const { order, billed, userId } = await aSubscriber();
  await db
    .update(users)
    .set({ eraseAt: inDays(8) * 1000 })
    .where(eq(users.id, userId));
  await eraseDueAccounts(env, db, inDays(9) * 1000);
  const answer = await tell(STRIPE, "invoice.paid", nextMonth(billed));
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  const [first, second = 0] = await ordersOf(billed);
  expect(first).toBe(order.id);
  const customerEmail = expect.stringMatching(/@erased\.invalid$/);
  expect(await orderNow(second)).toMatchObject({ userId, customerEmail, billingAddress: null });
  expect(await packagesOf(second)).toMatchObject([{ userId }]);
  const keys = await db.select().from(licenseKeys).where(eq(licenseKeys.orderId, order.id));
  expect(keys).toMatchObject([{ revokedAt: expect.any(Number) }]);
  expect(await brokenInvariants()).toEqual({});
});

it("keeps a month that is paid while the buyer cancels, and renews no more", async () => {
  const { order, billed, token } = await aSubscriber();
  const { id } = (await call(`GET /account/subscriptions?order_id=${order.id}`, { as: token })).body.data[0];
  await bill(nextMonth(billed));
  const path = `POST /account/subscriptions/${id}/cancel`;
  const [cancelled] = await Promise.all([
    callWith(STRIPE, path, { as: token, body: {} }),
    tellStripe(STRIPE, { payload: billingEvent("invoice.paid", billed) }),
  ]);
  expect(cancelled.status).toBe(200);
  expect(await ordersOf(billed)).toHaveLength(2);
  const { data } = (await call(`GET /account/subscriptions?order_id=${order.id}`, { as: token })).body;
  expect(data).toMatchObject([{ cancels_at: new Date(billed.current_period_end * 1000).toISOString() }]);
  expect(await brokenInvariants()).toEqual({});
});

it("activates no key in the second after its refund, on a device that was just validated", async () => {
  const { order, token } = await aSubscriber();
  const [{ key: license_key }] = (await call(`GET /account/license-keys?order_id=${order.id}`, { as: token })).body
    .data;
  const device = { license_key, instance_id: "one" };
  const activate = (instance_id: string) =>
    call("POST /licenses/activate", { body: { license_key, instance_id, instance_name: "Mac" } });
  expect((await activate("one")).body.data.code).toBe("valid");
  expect((await call("POST /licenses/validate", { body: device })).body.data.code).toBe("valid");
  await callWith(STRIPE, `POST /admin/orders/${order.id}/refunds`, {
    as: await asAdministrator(),
    body: { restock: false },
  });
  for (const instance of ["one", "two"]) expect((await activate(instance)).body.data.code).toBe("revoked");
});

it("is not cancelled by another buyer or with the number of another order", async () => {
  const [mine, other] = [await aSubscriber(), await aSubscriber()];
  const { data } = (await call(`GET /account/subscriptions?order_id=${other.order.id}`, { as: mine.token })).body;
  expect(data).toEqual([]);
  const [{ id }] = (await call("GET /account/subscriptions", { as: other.token })).body.data;
  for (const action of ["cancel", "portal"]) {
    const { status } = await callWith(STRIPE, `POST /account/subscriptions/${id}/${action}`, {
      as: mine.token,
      body: {},
    });
    expect(status).toBe(404);
  }
});
