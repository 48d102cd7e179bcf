import { env } from "cloudflare:workers";
import { and, eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { handlePaymentEvent } from "../../src/checkout/payments/handle-event.ts";
import { auditLog, emails, orders, returns, staffNotifications } from "../../src/platform/db/schema.ts";
import { queueEventEmails } from "../../src/platform/email/follow.ts";
import { everyMinute } from "../../src/scheduled.ts";
import { call as quietly } from "../support/call.ts";
import { aSendingShop, emailPass } from "../support/emails.ts";
import { placeOrder } from "../support/orders.ts";
import { anAdministrator, fieldsOf } from "../support/panel.ts";
import { aProduct, aUser, db, onPurpose, orderOf } from "../support/shop.ts";

// E-mails about orders, returns, payments and stock, which each member of staff chooses on the account page.

const DAY_MS = 24 * 60 * 60_000;
const now = Date.now();
const { bindings, call, received } = aSendingShop();
const pass = (at = now) => emailPass(bindings, at);

const ACCOUNT = "/admin/account";
const SETTINGS = `${ACCOUNT}/notifications`;

/** A member of staff who chose what to be e-mailed. */
async function staffWith(choices: Record<string, string>, role: Parameters<typeof anAdministrator>[0] = {}) {
  const person = await anAdministrator(role);
  const page = await person.get(ACCOUNT);
  const saved = await person.post(SETTINGS, { ...fieldsOf(page, SETTINGS), ...choices });
  expect(saved.status, saved.html).toBe(303);
  return person;
}

/** An order from the wallet of a buyer. */
async function buy(price = 1_500, buyer?: Awaited<ReturnType<typeof aUser>>) {
  const placed = await placeOrder({ buyer, product: await aProduct({ price }), send: call });
  return { ...placed, as: placed.user.token };
}

const subjectsTo = (email: string) => received(email).map(({ subject }) => subject);

beforeEach(async () => {
  await pass(now + DAY_MS);
  await db.delete(staffNotifications);
  await db.delete(emails);
});

it("e-mails who wants it about each new order, and nobody else", async () => {
  const [each, other] = [await staffWith({ new_order: "each" }), await staffWith({ new_order: "never" })];
  const packer = await staffWith({ new_order: "each" }, { role: "packer" });
  const { id, number } = await buy();
  await pass();
  const [told, ...more] = received(each.email);
  expect([told?.subject, more]).toEqual([`New order ${number} at Storefront`, []]);
  expect(told?.text).toContain("15.00");
  expect(told?.text).toContain(`/admin/orders/${id}`);
  expect(subjectsTo(packer.email)).toHaveLength(1);
  expect(subjectsTo(other.email)).toEqual([]);
  await pass();
  expect(subjectsTo(each.email)).toEqual([]);
});

it("counts an order that is paid at a provider as new once it is paid, and tells of a failed payment", async () => {
  const { id: userId } = await staffWith({ new_order: "each", payment_failed: "each" });
  const [buyer, product] = [await aUser(), await aProduct({ price: 2_000 })];
  const body = orderOf(product, 1, { payment_method: "credit_card" });
  const { id, reference } = (await quietly("POST /orders", { as: buyer.token, body, headers: onPurpose() })).body.data;
  const told = async () => {
    await queueEventEmails(db, now);
    const rows = await db
      .select({ news: sql<string>`params ->> '$.notifications[0].kind'` })
      .from(emails)
      .where(and(eq(emails.template, "staff_notifications"), eq(emails.userId, userId)));
    return rows.map(({ news }) => news);
  };
  const provider = {
    paymentProvider: "stripe",
    paymentReference: `cs_${id}`,
    paymentStatus: "requires_action",
  } as const;
  await db.update(orders).set(provider).where(eq(orders.id, id));
  expect(await told()).toEqual([]);
  await db.update(orders).set({ paymentStatus: "failed" }).where(eq(orders.id, id));
  expect(await told()).toEqual(["payment_failed"]);
  const order = { reference, total: 2_000, currency: "USD" };
  const paid = { id: `paid-${id}`, kind: "paid", order, amount: 2_000, currency: "USD" } as const;
  const author = { actor: "stripe", address: null, requestId: "test", now: Date.now() };
  await handlePaymentEvent({ db, author }, { ...paid, provider: "stripe", reference: `cs_${id}` });
  expect(await told()).toEqual(["payment_failed", "new_order"]);
});

it("tells of a requested return", async () => {
  const { email } = await staffWith({ return_requested: "each" });
  const { id, number, as } = await buy();
  const admin = (await aUser({ role: "admin" })).token;
  await call(`POST /admin/orders/${id}/shipments`, { as: admin, body: { carrier: "DHL" }, headers: onPurpose() });
  expect((await call(`POST /account/orders/${id}/returns`, { as, body: {}, headers: onPurpose() })).status).toBe(201);
  await pass();
  expect(subjectsTo(email)).toEqual([`Return requested for order ${number} at Storefront`]);
  expect(await db.$count(returns)).toBeGreaterThan(0);
});

it.each(["each", "daily"])("tells a demoted member of staff only what the new role may read (%s)", async (mode) => {
  const choices = { new_order: mode, return_requested: mode, payment_failed: mode };
  const [support, demoted] = [
    await staffWith(choices, { role: "support" }),
    await staffWith(choices, { role: "support" }),
  ];
  const admin = (await aUser({ role: "admin" })).token;
  await call(`PUT /admin/users/${demoted.id}`, { as: admin, body: { role: "packer" } });
  const { id, as } = await buy();
  await call(`POST /admin/orders/${id}/shipments`, { as: admin, body: { carrier: "DHL" }, headers: onPurpose() });
  await call(`POST /account/orders/${id}/returns`, { as, body: {}, headers: onPurpose() });
  await pass();
  await pass(now + DAY_MS);
  const told = ({ email }: { email: string }) => {
    const all = received(email).map(({ subject, text }) => subject + text);
    return [/return/i, /new order/i].map((words) => words.test(all.join()));
  };
  expect([told(support), told(demoted)]).toEqual([
    [true, true],
    [false, true],
  ]);
});

describe("the daily summary", () => {
  it("come together once a day, with what is not listed counted", async () => {
    const { email } = await staffWith({ new_order: "daily" });
    const made = [await buy(), await buy(), await buy()];
    await pass();
    expect(subjectsTo(email)).toEqual([]);
    await Promise.all([pass(now + DAY_MS), everyMinute({ ...env, ...bindings }, now + DAY_MS)]);
    const [digest, ...more] = received(email);
    expect([digest?.subject, more]).toEqual(["Daily summary of Storefront", []]);
    for (const { number } of made) expect(digest?.text).toContain(number);
    await pass(now + 2 * DAY_MS);
    expect(subjectsTo(email)).toEqual([]);
  });

  it("are not sent to somebody who lost the role", async () => {
    const person = await staffWith({ new_order: "daily" });
    const admin = (await aUser({ role: "admin" })).token;
    await call(`PUT /admin/users/${person.id}`, { as: admin, body: { role: "customer" } });
    await buy();
    await pass(now + DAY_MS);
    expect(subjectsTo(person.email)).toEqual([]);
  });
});

it("tells only administrators of orders of staff", async () => {
  const [admin, support] = [
    await staffWith({ new_order: "each" }),
    await staffWith({ new_order: "each" }, { role: "support" }),
  ];
  await buy(1_000, await aUser({ role: "viewer", wallet: 100_000 }));
  await queueEventEmails(db, now);
  await pass();
  expect([subjectsTo(admin.email).length, subjectsTo(support.email).length]).toEqual([1, 0]);
});

it("leaves out who declined the e-mail about low stock", async () => {
  const [declined, other] = [await staffWith({ low_stock: "never" }), await anAdministrator()];
  const { token: as } = await aUser({ wallet: 100_000 });
  await call("POST /orders", { as, body: orderOf(await aProduct({ stock: 1 })), headers: onPurpose() });
  await pass(now + DAY_MS);
  expect([subjectsTo(declined.email), subjectsTo(other.email)]).toEqual([[], ["Low stock at Storefront"]]);
});

describe("the choice", () => {
  it("offers what the role can read, and is audited", async () => {
    const person = await staffWith({ low_stock: "never" }, { role: "catalogue" });
    const fields = Object.keys(fieldsOf(await person.get(ACCOUNT), SETTINGS));
    expect(fields.filter((name) => ["new_order", "return_requested", "low_stock"].includes(name))).toEqual([
      "low_stock",
    ]);
    await person.post(SETTINGS, { low_stock: "never", new_order: "each" });
    expect(await db.$count(staffNotifications, eq(staffNotifications.userId, person.id))).toBe(1);
    const entry = and(
      eq(auditLog.subject, "user"),
      eq(auditLog.subjectId, person.id),
      eq(auditLog.action, "user.choose_notifications"),
    );
    expect(await db.$count(auditLog, entry)).toBe(2);
  });

  it("refuses other words", async () => {
    const person = await anAdministrator();
    const fields = fieldsOf(await person.get(ACCOUNT), SETTINGS);
    expect((await person.post(SETTINGS, { ...fields, new_order: "hourly" })).status).toBe(400);
    expect((await person.post(SETTINGS, { ...fields, low_stock: "each" })).status).toBe(400);
  });
});
