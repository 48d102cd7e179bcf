import { sql } from "drizzle-orm";
import { afterEach, describe, expect, it } from "vitest";
import { signAccessToken } from "../../src/platform/auth/tokens.ts";
import { aPaymentAccount } from "../payments/support/accounts.ts";
import { anAccount, aSession, PASSWORD } from "../support/accounts.ts";
import { call } from "../support/call.ts";
import { aCheckedImport } from "../support/jobs.ts";
import { aShippingMethod, noRules } from "../support/pricing.ts";
import { aKey, aProduct, aUser, db, orderOf, settings } from "../support/shop.ts";
import { anAccountWithFactor, codeOf, giveFactor, SECRET } from "../support/two-factor.ts";
import { aWebhook } from "../webhooks/support.ts";

const TEN_MINUTES = 10 * 60_000;

afterEach(async () => {
  await noRules();
});

type Member = { id: number; sessionId: string };

/** A token of a session whose user last entered a password this long ago. */
const tokenFrom = async ({ id: userId, sessionId }: Member, ago: number) =>
  (await signAccessToken(settings, { userId, sessionId, authenticatedAt: Date.now() - ago })).token;

const anOrder = async (price: number) => {
  const user = await aUser({ wallet: 100_000 });
  const { body } = await call("POST /orders", { as: user.token, body: orderOf(await aProduct({ price })) });
  return body.data.id as number;
};

const anUnpaidOrder = async (): Promise<number> => {
  const { token } = await aUser();
  const body = { ...orderOf(await aProduct({ price: 2_000 })), payment_method: "paypal" };
  return (await call("POST /orders", { as: token, body })).body.data.id;
};

type Request = () => Promise<{ line: string; body?: unknown }>;

const credit = (amount: number) => async () => ({
  line: `POST /admin/users/${(await aUser({ wallet: 100_000 })).id}/credit`,
  body: { amount, reason: "Goodwill" },
});
const changeUser = (columns: Parameters<typeof aUser>[0], body: object) => async () => ({
  line: `PUT /admin/users/${(await aUser(columns)).id}`,
  body,
});
const ofKey = (line: string, body: object) => async () => ({
  line: line.replace(":id", String((await aKey()).id)),
  body,
});

const ofWebhook = (line: string, body: object) => async () => ({
  line: line.replace(":id", String((await aWebhook()).id)),
  body,
});
const elsewhere = "https://receiver.example/webhooks";

let people = 0;

const aDiscount = (fields: object) => async () => ({
  line: "POST /admin/discounts",
  body: { name: "Sale", code: `SALE-${++people}`, ...fields },
});

/** A change to a 60 % discount. */
const changeDiscount = (body: object) => async () => {
  const { token } = await aUser({ role: "admin" });
  const made = await call("POST /admin/discounts", {
    as: token,
    body: { name: "Sale", code: `SALE-${++people}`, kind: "percentage", percent: 60, priority: 1 },
  });
  return { line: `PUT /admin/discounts/${made.body.data.id}`, body };
};

const changeShop = (body: object) => async () => ({ line: "PUT /admin/shop", body });

const changePrice = (price: number) => async () => ({
  line: `PUT /admin/products/${(await aProduct({ price: 1_000 })).id}`,
  body: { price },
});

const lowerBy = (percent: number) => async () => ({
  line: "POST /admin/products/bulk-actions",
  body: { ids: [(await aProduct()).id], change: { price_percent: percent } },
});

const sensitive: Record<string, Request> = {
  "make an API key": async () => ({
    line: "POST /admin/api-keys",
    body: { name: "New", permissions: ["products:read"] },
  }),
  "change an API key": ofKey("PUT /admin/api-keys/:id", { permissions: ["products:read"] }),
  "rotate an API key": ofKey("POST /admin/api-keys/:id/rotate", { grace_seconds: 60 }),
  "make a webhook": async () => ({ line: "POST /admin/webhooks", body: { url: elsewhere, types: [] } }),
  "lead a webhook elsewhere": ofWebhook("PUT /admin/webhooks/:id", { url: elsewhere }),
  "have a webhook sent other events": ofWebhook("PUT /admin/webhooks/:id", { types: ["product.created"] }),
  "disable a webhook": ofWebhook("PUT /admin/webhooks/:id", { enabled: false }),
  "delete a webhook": ofWebhook("DELETE /admin/webhooks/:id", {}),
  "rotate the secret of a webhook": ofWebhook("POST /admin/webhooks/:id/rotate", {}),
  "give a role": changeUser({ role: "support" }, { role: "admin" }),
  "give a password": changeUser({}, { password: "a password they choose" }),
  "change where an administrator's e-mails go": changeUser(
    { role: "admin" },
    { email: `elsewhere-${++people}@shop.test` },
  ),
  "change where a customer's e-mails go at once": changeUser(
    {},
    { email: `moved-${++people}@shop.test`, email_change_reason: "Lost mailbox" },
  ),
  "remove a second factor": async () => ({
    line: `DELETE /admin/users/${(await anAccountWithFactor()).id}/two-factor`,
  }),
  "give a discount of more than half": aDiscount({ kind: "percentage", percent: 50.01 }),
  "give two units with each that is bought": aDiscount({ kind: "buy_x_get_y", buy_quantity: 1, get_quantity: 2 }),
  "give an amount off any order": aDiscount({ kind: "amount", amount: 5 }),
  "give a discount of more than half for longer": changeDiscount({ ends_at: null, priority: 2 }),
  ...Object.fromEntries(
    ["customers", "orders", "order-lines", "transactions", "audit-log"].map((list): [string, Request] => [
      `export ${list}`,
      async () => ({ line: `GET /admin/exports/${list}/csv` }),
    ]),
  ),
  "export all that is held about a customer": async () => ({ line: `GET /admin/users/${(await aUser()).id}/export` }),
  "give another bank account in payment instructions": async () => ({
    line: "PUT /admin/payment-settings",
    body: { bank_transfer: { instructions: `Pay to account ${++people}` } },
  }),
  "connect an account that gets the shop's money": async () => ({
    line: "PUT /admin/payment-accounts/stripe",
    body: { secret_key: `sk_test_fresh${++people}` },
  }),
  "disconnect an account": async () => {
    await aPaymentAccount("paypal");
    return { line: "DELETE /admin/payment-accounts/paypal" };
  },
  "admit agents": changeShop({ agent_access: "open" }),
  "admit another agent": changeShop({ agent_hosts: [`agent-${++people}.example`] }),
  "change how buyers contact the shop": changeShop({ contact: `Call ${++people}` }),
  "give another bank account on invoices": changeShop({ iban: "GB33BUKB20201555555555" }),
  "lead replies to e-mails elsewhere": changeShop({ reply_to: `replies-${++people}@shop.test` }),
  "give the shop another name": changeShop({ name: `Bank ${++people}` }),
  "send e-mails in another name": changeShop({ sender_name: `Bank ${++people}` }),
  "give another address of the shop": changeShop({
    address: { name: "Elsewhere", address: `${++people} Other Street`, city: "Bonn", zip: "53111", country: "DE" },
  }),
  "give another VAT ID on invoices": changeShop({ vat_id: "DE123456788" }),
  "lead questions about invoices elsewhere": changeShop({ invoice_email: `invoices-${++people}@shop.test` }),
  "write an own text of an e-mail": async () => ({
    line: "PUT /admin/email-texts/order_confirmation/en",
    body: { introduction: `Pay to account ${++people}` },
  }),
  "lower a price": changePrice(9.99),
  "lower the prices of several products": lowerBy(-10),
  "lower a shipping price": async () => ({
    line: `PUT /admin/shipping-methods/${(await aShippingMethod({ price: 500 })).id}`,
    body: { price: 4.99 },
  }),
  "import products": async () => {
    const { token: as } = await aUser({ role: "admin" });
    const { id } = await aCheckedImport(`sku,name,price\nIMPORTED-${++people},Lamp,1.00\n`, { as });
    return { line: `POST /admin/imports/products/${id}/start`, body: {} };
  },
  "credit more than the limit": credit(100.01),
  "debit more than the limit": credit(-100.01),
  "refund more than the limit": async () => ({
    line: `POST /admin/orders/${await anOrder(10_001)}/refunds`,
    body: { restock: false },
  }),
  "cancel an order that is refunded by more than the limit": async () => ({
    line: `PUT /admin/orders/${await anOrder(10_001)}`,
    body: { status: "cancelled" },
  }),
};

const everyday: Record<string, Request> = {
  "credit the limit": credit(100),
  "refund the limit": async () => ({
    line: `POST /admin/orders/${await anOrder(10_000)}/refunds`,
    body: { restock: false },
  }),
  "rename a customer": changeUser({}, { name: "Renamed" }),
  "change a customer's e-mail": changeUser({}, { email: `other-${++people}@shop.test` }),
  "go back to the default text of an e-mail": async () => ({
    line: "PUT /admin/email-texts/order_confirmation/en",
    body: { subject: null, introduction: null },
  }),
  "turn agents away": changeShop({ agent_access: "off", agent_hosts: [] }),
  "raise a price": changePrice(10.01),
  "raise the prices of several products": lowerBy(10),
  "give a discount of half": aDiscount({ kind: "percentage", percent: 50 }),
  "give one unit with each that is bought": aDiscount({ kind: "buy_x_get_y", buy_quantity: 1, get_quantity: 1 }),
  "disable a discount of more than half": changeDiscount({ enabled: false }),
  "export products": async () => ({ line: "GET /admin/exports/products/csv" }),
  "revoke an API key": ofKey("DELETE /admin/api-keys/:id", {}),
};

it("adds up the discounts that a session grants", async () => {
  const as = await tokenFrom(await aUser({ role: "admin" }), TEN_MINUTES);
  const give = async (fields: object) => call("POST /admin/discounts", { as, body: (await aDiscount(fields)()).body });
  expect((await give({ kind: "percentage", percent: 30 })).status).toBe(201);
  expect((await give({ kind: "percentage", percent: 20 })).status).toBe(201);
  expect((await give({ kind: "percentage", percent: 1 })).body.code).toBe("reauthentication_required");
  expect((await give({ kind: "percentage", percent: 40, combinable: false })).status).toBe(201);
});

it("adds up discounts that a session grants at the same moment", async () => {
  const as = await tokenFrom(await aUser({ role: "admin" }), TEN_MINUTES);
  const { body } = await aDiscount({ kind: "percentage", percent: 50 })();
  const given = await Promise.all(
    Array.from({ length: 8 }, (_, n) => call("POST /admin/discounts", { as, body: { ...body, code: `AT-ONCE-${n}` } })),
  );
  expect(given.filter(({ status }) => status === 201)).toHaveLength(1);
});

it("adds up discounts, whatever else the session has written in between", async () => {
  const as = await tokenFrom(await aUser({ role: "admin" }), TEN_MINUTES);
  const give = async (fields: object) => call("POST /admin/discounts", { as, body: (await aDiscount(fields)()).body });
  expect((await give({ kind: "percentage", percent: 50 })).status).toBe(201);
  const { id } = (await give({ kind: "percentage", percent: 1, combinable: false })).body.data;
  const often = Array.from({ length: 150 }, () => 1);
  await db.run(sql`INSERT INTO audit_log (at, actor, action, subject, subject_id, request_id)
    SELECT at, actor, 'discount.update', subject, subject_id, request_id FROM audit_log, json_each(${JSON.stringify(often)})
    WHERE subject = 'discount' AND subject_id = ${id}`);
  expect((await give({ kind: "percentage", percent: 50 })).body.code).toBe("reauthentication_required");
});

describe.each(Object.entries(sensitive))("to %s", (_, request) => {
  it("accepts a password entered less than ten minutes ago", async () => {
    const admin = await aUser({ role: "admin" });
    const { line, body } = await request();
    const asked = line.startsWith("DELETE") ? undefined : body;
    const stale = await call(line, { as: await tokenFrom(admin, TEN_MINUTES), body: asked });
    expect([stale.status, stale.body.code]).toEqual([403, "reauthentication_required"]);
    expect(stale.headers.get("WWW-Authenticate")).toContain('error="insufficient_user_authentication", max_age="600"');
    expect((await call(line, { as: await tokenFrom(admin, TEN_MINUTES - 5000), body: asked })).status).toBeLessThan(
      300,
    );
  });
});

describe.each(Object.entries(everyday))("to %s", (_, request) => {
  it("does not require the password again", async () => {
    const { line, body } = await request();
    const as = await tokenFrom(await aUser({ role: "admin" }), 59 * 60_000);
    expect((await call(line, { as, body: line.startsWith("DELETE") ? undefined : body })).status).toBeLessThan(300);
  });
});

describe("the money that a session moved since its password was entered", () => {
  const creditBy = async (as: string, amount: number) => {
    const { line, body } = await credit(amount)();
    return call(line, { as, body });
  };
  const codeOfCredit = async (as: string, amount: number) => (await creditBy(as, amount)).body.code ?? "done";

  it("is added up: thirty simultaneous credits move no more than one may", async () => {
    const as = await tokenFrom(await aUser({ role: "admin" }), TEN_MINUTES);
    const answers = await Promise.all(Array.from({ length: 30 }, () => creditBy(as, 40)));
    const moved = answers.filter(({ status }) => status === 201);
    const asked = answers.filter(({ body }) => body.code === "reauthentication_required");
    expect([moved.length, asked.length]).toEqual([2, 28]);
  });

  it("is added up over credits, refunds, cancellations, manual payments and bulk actions", async () => {
    const as = await tokenFrom(await aUser({ role: "admin" }), TEN_MINUTES);
    const [refunded, cancelled] = [await anOrder(2_000), await anOrder(2_000)];
    const [unpaid, marked, more] = [await anUnpaidOrder(), await anUnpaidOrder(), await anUnpaidOrder()];
    expect(await codeOfCredit(as, -20)).toBe("done");
    const refund = await call(`POST /admin/orders/${refunded}/refunds`, { as, body: { restock: false } });
    const cancel = await call(`PUT /admin/orders/${cancelled}`, { as, body: { status: "cancelled" } });
    const pay = await call(`PUT /admin/orders/${unpaid}`, { as, body: { payment_status: "paid" } });
    expect([refund.status, cancel.status, pay.status]).toEqual([200, 200, 200]);
    const markPaid = (id: number) =>
      call("POST /admin/orders/bulk-actions", { as, body: { ids: [id], change: { payment_status: "paid" } } });
    expect((await markPaid(marked)).body.data).toMatchObject({ done: 1, failed: 0 });
    expect((await markPaid(more)).body.code).toBe("reauthentication_required");
    expect(await codeOfCredit(as, 0.01)).toBe("reauthentication_required");
  });

  it("limits simultaneous bulk actions, order by order", async () => {
    const as = await tokenFrom(await aUser({ role: "admin" }), TEN_MINUTES);
    const orders = await Promise.all(Array.from({ length: 8 }, () => anUnpaidOrder()));
    await Promise.all(
      orders.map((id) =>
        call("POST /admin/orders/bulk-actions", { as, body: { ids: [id], change: { payment_status: "paid" } } }),
      ),
    );
    const { token } = await aUser({ role: "admin" });
    const states = await Promise.all(orders.map((id) => call(`GET /admin/orders/${id}`, { as: token })));
    expect(states.filter(({ body }) => body.data.payment_status === "paid").length).toBeLessThanOrEqual(5);
  });

  it("includes money moved while the password was fresh, and resets when it is entered again", async () => {
    const admin = await anAccount({ role: "admin" });
    expect(await codeOfCredit(await tokenFrom(admin, TEN_MINUTES - 60_000), 500)).toBe("done");
    const as = await tokenFrom(admin, TEN_MINUTES);
    expect(await codeOfCredit(as, 1)).toBe("reauthentication_required");
    const { body } = await call("POST /auth/reauthenticate", { as, body: { current_password: PASSWORD } });
    expect(await codeOfCredit(body.data.token, 200)).toBe("done");
  });
});

it("does not apply to API keys, or to customers who cancel their own order", async () => {
  const { key } = await aKey();
  const { line, body } = await credit(500)();
  expect((await call(line, { as: key, body })).status).toBe(201);
  const customer = await aUser({ wallet: 100_000 });
  const order = await call("POST /orders", { as: customer.token, body: orderOf(await aProduct({ price: 50_000 })) });
  const as = await tokenFrom(customer, TEN_MINUTES);
  expect((await call(`POST /account/orders/${order.body.data.id}/cancel`, { as, body: {} })).status).toBe(200);
});

describe("entering it again", () => {
  const show = (as: string, body: object) => call("POST /auth/reauthenticate", { as, body });
  const makeKey = async (as: string) =>
    (await call("POST /admin/api-keys", { as, body: { name: "New", permissions: ["products:read"] } })).status;

  it("returns a token that allows sensitive actions", async () => {
    const admin = await anAccount({ role: "admin" });
    const as = await tokenFrom(admin, TEN_MINUTES);
    const { status, body } = await show(as, { current_password: PASSWORD });
    expect(status).toBe(200);
    expect([await makeKey(as), await makeKey(body.data.token)]).toEqual([403, 201]);
  });

  it("accepts a code instead, each once", async () => {
    const admin = await anAccount({ role: "admin" });
    await giveFactor(admin.id);
    const as = await tokenFrom(admin, TEN_MINUTES);
    const code = codeOf(SECRET);
    const { body } = await show(as, { code });
    expect(await makeKey(body.data.token)).toBe(201);
    expect((await show(as, { code })).body.code).toBe("wrong_code");
  });

  it("refuses a wrong password or code, both together and neither, and counts guesses as a login does", async () => {
    const admin = await anAccount({ role: "admin" });
    const as = await tokenFrom(admin, TEN_MINUTES);
    expect((await show(as, {})).body.errors).toHaveProperty("current_password");
    expect((await show(as, { current_password: PASSWORD, code: "123456" })).status).toBe(400);
    expect((await show(as, { code: "123456" })).body.code).toBe("two_factor_not_enabled");
    const statuses: number[] = [];
    for (let n = 0; n < 6; n++) statuses.push((await show(as, { current_password: "wrong" })).status);
    expect(statuses).toEqual([400, 400, 400, 400, 400, 429]);
  });

  it("is kept by a refresh, but a refresh alone makes nothing fresh", async () => {
    const admin = await anAccount({ role: "admin" });
    const session = await aSession(admin.id, TEN_MINUTES);
    const refreshed = await call("POST /auth/refresh", { body: { refresh_token: session.refreshToken } });
    expect(await makeKey(refreshed.body.data.token)).toBe(403);
    await show(refreshed.body.data.token, { current_password: PASSWORD });
    const again = await call("POST /auth/refresh", { body: { refresh_token: refreshed.body.data.refresh_token } });
    expect(await makeKey(again.body.data.token)).toBe(201);
  });

  it("is not needed after signing in", async () => {
    const { email } = await anAccount({ role: "admin" });
    const { body } = await call("POST /auth/login", { body: { email, password: PASSWORD } });
    expect(await makeKey(body.data.token)).toBe(201);
  });
});
