import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { newestSecret } from "../../src/platform/auth/seal.ts";
import { emails, paymentAccounts } from "../../src/platform/db/schema.ts";
import { everyMinute } from "../../src/scheduled.ts";
import { administration } from "../support/administration.ts";
import { call, callWith } from "../support/call.ts";
import { anAdministrator, fieldsOf } from "../support/panel.ts";
import { settleShop } from "../support/pricing.ts";
import { expectRefusal } from "../support/refusal.ts";
import { ADDRESS, aKey, aProduct, aUser, db, orderOf, settings } from "../support/shop.ts";
import { storedAccount } from "./support/accounts.ts";
import { approval, paypalAccount, tellPaypal } from "./support/paypal.ts";
import { buy, orderNow } from "./support/shop.ts";
import { script, sent } from "./support/stand-in.ts";
import { stripeAccount, stripeEvent, tellStripe } from "./support/stripe.ts";

const { admin, ask } = administration();

let names = 0;

/** A key of another account at the stand-in. */
const aStripeKey = (mode = "test") => `sk_${mode}_panel${++names}_${crypto.randomUUID().replaceAll("-", "")}`;

const connectStripe = (secret_key: string) => ask("PUT /admin/payment-accounts/stripe", { secret_key });

type AskedPaypal = { client_id?: string; client_secret?: string; live?: boolean };
const connectPaypal = ({ client_id = `client-panel${++names}`, client_secret = "secret", live = true }: AskedPaypal) =>
  ask("PUT /admin/payment-accounts/paypal", { client_id, client_secret, live });

const accounts = async () => (await ask("GET /admin/payment-accounts")).body.data;

/** Webhooks of an account, as Stripe lists them. */
const endpointsOf = async (secretKey: string) => {
  const headers = { Authorization: `Bearer ${secretKey}` };
  const listed = await fetch(`${env.STRIPE_API_URL}/v1/webhook_endpoints?limit=100`, { headers });
  return (await listed.json<{ data: { id: string; url: string; enabled_events: string[] }[] }>()).data;
};

const webhooksOf = async (clientId: string) => {
  const headers = { Authorization: `Bearer A21.${clientId}.1` };
  const listed = await fetch(`${env.PAYPAL_API_URL}/v1/notifications/webhooks`, { headers });
  return (await listed.json<{ webhooks: { id: string; url: string; event_types: unknown[] }[] }>()).webhooks;
};

const quotedOptions = async () => {
  const { token } = await aUser();
  const items = [{ product_id: (await aProduct()).id, quantity: 1 }];
  const { body } = await call("POST /checkout/quote", { as: token, body: { items } });
  return body.data.payment_options as { method: string; test: boolean }[];
};

/** Every row in which a secret could have been written. */
const written = async () => {
  const tables = ["payment_accounts", "audit_log", "idempotency_keys", "events"];
  return JSON.stringify(await env.DB.batch(tables.map((table) => env.DB.prepare(`SELECT * FROM ${table}`))));
};

beforeEach(() => db.delete(paymentAccounts));
afterEach(() => db.delete(paymentAccounts));

describe("a Stripe account", () => {
  it("is connected by its key: checked, shown without the secret, with a webhook for the events that are read", async () => {
    const key = aStripeKey();
    const connected = await connectStripe(key);
    expect(connected.status).toBe(200);
    expect(connected.body.data).toEqual({
      provider: "stripe",
      source: "administrator",
      live: false,
      account_id: `acct_panel${names}`,
      name: `Shop panel${names}`,
      key_end: key.slice(-4),
      open_payments: expect.any(Number),
      updated_at: expect.any(String),
    });
    expect((await accounts())[0]).toEqual(connected.body.data);
    const [endpoint, ...others] = await endpointsOf(key);
    expect(others).toEqual([]);
    expect(endpoint).toEqual(
      expect.objectContaining({
        url: "https://shop.test/api/v1/webhooks/stripe",
        enabled_events: [
          "checkout.session.completed",
          "checkout.session.async_payment_succeeded",
          "checkout.session.async_payment_failed",
          "payment_intent.succeeded",
          "refund.failed",
          "charge.dispute.created",
          "charge.dispute.closed",
          "invoice.paid",
          "invoice.payment_failed",
          "customer.subscription.updated",
          "customer.subscription.deleted",
        ],
      }),
    );
    expect(JSON.stringify(connected.body) + (await written())).not.toMatch(new RegExp(`${key}|whsec_`));
    const [entry] = (await ask("GET /admin/audit-log?subject=payment_account")).body.data;
    expect(entry).toMatchObject({ action: "payment_account.create", after: { account_id: `acct_panel${names}` } });
  });

  it("is paid by card, told by its webhook, and refunds", async () => {
    const key = aStripeKey();
    await connectStripe(key);
    const { webhookId } = (await storedAccount("stripe")) ?? expect.unreachable();
    const { answer, order } = await buy({});
    expect([answer.status, order.payment.provider]).toEqual([201, "stripe"]);
    const [session] = await sent(order.reference, "POST /v1/checkout/sessions");
    expect(session?.headers.authorization).toBe(`Bearer ${key}`);
    const back = new URLSearchParams(session?.body).get("success_url");
    expect(back).toMatch(/^https:\/\/shop\.test\/account\/order\?token=sfo_/);
    const payload = stripeEvent("completed", { order });
    const forged = await tellStripe({}, { payload, secret: "whsec_of_another" });
    expectRefusal(forged, 400, "stripe-signature");
    expect((await tellStripe({}, { payload, secret: `whsec_of_${webhookId}` })).status).toBe(200);
    expect((await orderNow(order.id))?.paymentStatus).toBe("paid");
    const { history, test } = (await ask(`GET /admin/orders/${order.id}`)).body.data;
    expect(test).toBe(true);
    const { total } = (await ask("GET /admin/reports/sales")).body.data;
    expect([total.orders, total.total_sales]).toEqual([0, 0]);
    expect(history.at(-1)).toMatchObject({ to: "processing", note: "Paid in test mode: no money moved" });
    const administrator = await anAdministrator();
    const page = await administrator.get(`/admin/orders/${order.id}`);
    expect(page.html).toContain("Test: no money moves");
    for (const shown of [page, await administrator.get(`/admin/orders?search=${order.reference}`)]) {
      expect(shown.html).toContain('<span class="badge busy">test mode</span>');
    }
    for (const paper of [`${order.id}/packing-slip`, `pick-list?ids=${order.id}`, `${order.id}/invoice`]) {
      const sheet = (await administrator.get(`/admin/orders/${paper}`)).html;
      expect(sheet).toContain(`Test, no money was paid: ${order.number}`);
    }
    await settleShop({ address: ADDRESS });
    expectRefusal(await ask(`POST /admin/orders/${order.id}/invoices`, {}), 409);
    await ask(`POST /admin/orders/${order.id}/shipments`, { carrier: "Post" });
    expect((await ask(`GET /admin/invoices?order_id=${order.id}`)).body.data).toEqual([]);
    await settleShop({ address: null });
    const refund = `POST /admin/orders/${order.id}/refunds`;
    expect((await callWith({}, refund, { as: admin.token, body: { restock: false } })).status).toBe(200);
    const [refunded] = await sent(`pi_${order.reference}`, "POST /v1/refunds");
    expect(refunded?.headers.authorization).toBe(`Bearer ${key}`);
  });

  it("opens the order's page to the buyer who returns, if the shop has no own page", async () => {
    await connectStripe(aStripeKey());
    const guest = await aKey({ permissions: ["checkout:write"] });
    const { order } = await buy({}, { as: guest.key });
    const [session] = await sent(order.reference, "POST /v1/checkout/sessions");
    const back = new URLSearchParams(session?.body).get("success_url") ?? "";
    const shown = await callWith({}, `GET ${back}`);
    expect(shown.status).toBe(200);
    const { order: other } = await buy({ ORDER_URL: "https://own.test/orders/{reference}" }, { as: guest.key });
    const [own] = await sent(other.reference, "POST /v1/checkout/sessions");
    expect(new URLSearchParams(own?.body).get("cancel_url")).toMatch(
      new RegExp(`^https://own.test/orders/${other.reference}[?]token=sfo_`),
    );
  });

  it("is announced to all administrators whenever it changes, although other e-mails to staff are switched off", async () => {
    const told = () => db.$count(emails, eq(emails.template, "payment_account_changed"));
    const before = await told();
    await connectStripe(aStripeKey());
    const connected = await told();
    expect(connected).toBeGreaterThan(before);
    await ask("DELETE /admin/payment-accounts/stripe");
    expect(await told()).toBe(2 * connected - before);
    const { html } = await (await anAdministrator()).get("/admin/emails/templates/payment_account_changed");
    expect(html).not.toContain("Switch off");
  });

  it("refuses payments and says why, if the shop was restored without the secret that encrypts the keys", async () => {
    await connectStripe(aStripeKey());
    const RESTORED = { LINK_SECRET: "Wc3nV8mJx2Lq6Ty9Zb5Rf1Hk7Pd4Sg0B" };
    const { answer } = await buy(RESTORED);
    expect([answer.status, answer.body.code]).toEqual([503, "provider_unavailable"]);
    const administrator = await anAdministrator();
    const path = "/admin/payments/stripe";
    expect((await administrator.get(path, RESTORED)).html).toContain("restored without the secret");
    expect((await administrator.get(path)).html).not.toContain("restored without the secret");
  });

  it("is listed by quotes with its mode, and no longer once it is disconnected", async () => {
    expect(await quotedOptions()).not.toContainEqual(expect.objectContaining({ method: "credit_card" }));
    await connectStripe(aStripeKey());
    expect(await quotedOptions()).toContainEqual(expect.objectContaining({ method: "credit_card", test: true }));
    const key = aStripeKey("live");
    await connectStripe(key);
    expect(await quotedOptions()).toContainEqual(expect.objectContaining({ method: "credit_card", test: false }));
    expect((await ask("GET /admin/payment-settings")).body.data.connected).toMatchObject({ stripe: true });
    expect((await ask("DELETE /admin/payment-accounts/stripe")).status).toBe(204);
    expect(await endpointsOf(key)).toEqual([]);
    expect(await quotedOptions()).not.toContainEqual(expect.objectContaining({ method: "credit_card" }));
    expect((await tellStripe({}, { payload: "{}", secret: "whsec_any" })).status).toBe(404);
    expect((await ask("DELETE /admin/payment-accounts/stripe")).status).toBe(404);
    expect((await buy({})).order.payment.provider).toBeNull();
  });

  it("is replaced by another, whose webhook alone is trusted then", async () => {
    const [first, second] = [aStripeKey(), aStripeKey()];
    await connectStripe(first);
    const old = (await storedAccount("stripe")) ?? expect.unreachable();
    const { order } = await buy({});
    expect((await accounts())[0].open_payments).toBeGreaterThan(0);
    expect((await connectStripe(second)).status).toBe(200);
    expect(await endpointsOf(first)).toEqual([]);
    const payload = stripeEvent("completed", { order });
    expectRefusal(await tellStripe({}, { payload, secret: `whsec_of_${old.webhookId}` }), 400, "stripe-signature");
    const [entry] = (await ask("GET /admin/audit-log?subject=payment_account")).body.data;
    expect([entry.action, entry.before.account_id, entry.after.account_id]).toEqual([
      "payment_account.replace",
      `acct_panel${names - 1}`,
      `acct_panel${names}`,
    ]);
  });

  it("has one webhook, however often it is connected, also twice at once", async () => {
    const key = aStripeKey();
    await connectStripe(key);
    await connectStripe(key);
    const answers = await Promise.all([connectStripe(key), connectStripe(key), connectStripe(key)]);
    for (const { status } of answers) expect([200, 409]).toContain(status);
    expect((await endpointsOf(key)).map(({ id }) => id)).toEqual([(await storedAccount("stripe"))?.webhookId]);
  });

  it("is connected by a restricted key that may write webhooks, although its name is not known", async () => {
    const connected = await connectStripe(`rk_test_limited${++names}`);
    expect(connected.body.data).toMatchObject({ source: "administrator", account_id: null, name: null });
  });

  it.each([
    ["a refused key", "sk_test_wrong", "invalid"],
    ["a publishable key", "pk_test_public", "invalid_format"],
    ["a restricted key without permission", "rk_test_limited_reads", "invalid"],
  ])("is not connected by %s, and nothing is stored", async (_, key, code) => {
    const refused = await connectStripe(key);
    expect([refused.status, refused.body.details]).toEqual([400, [{ field: "secret_key", code }]]);
    expect(await storedAccount("stripe")).toBeUndefined();
  });

  it("is not connected while Stripe does not answer", async () => {
    const key = aStripeKey();
    await script({ line: "POST /v1/webhook_endpoints", about: key, status: 503, times: 2 });
    expect((await connectStripe(key)).body.code).toBe("provider_unavailable");
    expect(await storedAccount("stripe")).toBeUndefined();
  });

  it("keeps its keys readable when the deployment's secret is rotated", async () => {
    const key = aStripeKey();
    await connectStripe(key);
    const newest = "Zq8vN2kLx5Rw7Tb1Yc4Mf9Hj3Pd6Sg0A";
    await everyMinute({ ...env, LINK_SECRET: [newest, ...settings.linkSecrets].join(",") }, Date.now());
    expect((await storedAccount("stripe"))?.sealedUnder).toBe(newestSecret([newest]));
    const { answer } = await buy({ LINK_SECRET: newest });
    expect(answer.body.data.payment.provider).toBe("stripe");
  });

  it("can be replaced and disconnected without the secret that encrypted it, as after a restore", async () => {
    const key = aStripeKey();
    await connectStripe(key);
    const lost = { LINK_SECRET: "Wc3nV8mJx2Lq6Ty9Zb5Rf1Hk7Pd4Sg0B" };
    const askWith = (line: string, body?: unknown) => callWith(lost, line, { as: admin.token, body });
    const [stripe] = (await askWith("GET /admin/payment-accounts")).body.data;
    expect(stripe).toMatchObject({ live: false, key_end: key.slice(-4) });
    const replaced = await askWith("PUT /admin/payment-accounts/stripe", { secret_key: aStripeKey() });
    expect(replaced.status).toBe(200);
    await connectStripe(key);
    expect((await askWith("DELETE /admin/payment-accounts/stripe")).status).toBe(204);
    expect(await storedAccount("stripe")).toBeUndefined();
  });
});

describe("a PayPal account", () => {
  it("is connected by its keys, paid and told by its webhook", async () => {
    const connected = await connectPaypal({ live: true });
    const client = `client-panel${names}`;
    expect(connected.body.data).toMatchObject({ source: "administrator", live: true, account_id: client, name: null });
    const [webhook] = await webhooksOf(client);
    expect(webhook).toMatchObject({ url: "https://shop.test/api/v1/webhooks/paypal" });
    expect(webhook?.event_types).toEqual(
      [
        "CHECKOUT.ORDER.APPROVED",
        "PAYMENT.CAPTURE.COMPLETED",
        "PAYMENT.CAPTURE.DENIED",
        "PAYMENT.CAPTURE.DECLINED",
      ].map((name) => ({ name })),
    );
    const { token } = await aUser();
    const body = { ...orderOf(await aProduct()), payment_method: "paypal" };
    const order = (await call("POST /orders", { as: token, body })).body.data;
    expect(order.payment.provider).toBe("paypal");
    expectRefusal(await tellPaypal({}, approval(order), { webhookId: "another" }), 400, "paypal-transmission-sig");
    expect((await tellPaypal({}, approval(order), { webhookId: webhook?.id ?? "" })).status).toBe(200);
    expect((await orderNow(order.id))?.paymentStatus).toBe("paid");
    expect((await ask(`GET /admin/orders/${order.id}`)).body.data.history.at(-1)).toMatchObject({ note: null });
  });

  it("keeps its webhook when it is connected again, and gives it the events that it lacks", async () => {
    await connectPaypal({});
    const client_id = `client-panel${names}`;
    const [webhook] = await webhooksOf(client_id);
    await fetch(`${env.PAYPAL_API_URL}/v1/notifications/webhooks/${webhook?.id}`, {
      method: "PATCH",
      headers: { Authorization: `Bearer A21.${client_id}.1` },
      body: JSON.stringify([{ op: "replace", path: "/event_types", value: [{ name: "PAYMENT.SALE.COMPLETED" }] }]),
    });
    for (const client_secret of ["new-secret", "newer-secret"]) {
      expect((await connectPaypal({ client_id, client_secret })).status).toBe(200);
      expect(await webhooksOf(client_id)).toEqual([webhook]);
    }
    await ask("DELETE /admin/payment-accounts/paypal");
    expect(await webhooksOf(client_id)).toEqual([]);
  });

  it("is not connected by a wrong secret, also right after the right one was used", async () => {
    await connectPaypal({});
    await db.delete(paymentAccounts);
    const refused = await connectPaypal({ client_id: `client-panel${names}`, client_secret: "wrong" });
    expect(refused.body.details).toEqual([{ field: "client_secret", code: "invalid" }]);
    expect(await storedAccount("paypal")).toBeUndefined();
  });
});

describe("the deployment's secrets", () => {
  it("take precedence over a connected account, and refuse another", async () => {
    await connectStripe(aStripeKey());
    const STRIPE = stripeAccount("deployment");
    const askWith = (line: string, body?: unknown) => callWith(STRIPE, line, { as: admin.token, body });
    const [shown] = (await askWith("GET /admin/payment-accounts")).body.data;
    expect(shown).toMatchObject({ source: "deployment", account_id: null, key_end: "ment", updated_at: null });
    const refused = await askWith("PUT /admin/payment-accounts/stripe", { secret_key: aStripeKey() });
    expect([refused.status, refused.body.code]).toEqual([409, "set_by_deployment"]);
    const { order } = await buy(STRIPE);
    const [session] = await sent(order.reference, "POST /v1/checkout/sessions");
    expect(session?.headers.authorization).toBe(`Bearer ${STRIPE.STRIPE_SECRET_KEY}`);
  });

  it("keep their webhook when an earlier account is disconnected", async () => {
    await connectPaypal({});
    const client = `client-panel${names}`;
    const PAYPAL = { ...paypalAccount("own"), PAYPAL_CLIENT_ID: client };
    await callWith(PAYPAL, "DELETE /admin/payment-accounts/paypal", { as: admin.token });
    expect(await webhooksOf(client)).toHaveLength(1);
  });
});

describe("the panel", () => {
  const PATH = "/admin/payments/stripe";

  it("connects and disconnects an account, and never shows its key", async () => {
    const administrator = await anAdministrator();
    expect((await administrator.get("/admin/payments")).html).toContain(`href="${PATH}"`);
    const key = aStripeKey();
    const refused = await administrator.post(PATH, { secret_key: "sk_test_wrong_secret" });
    expect([refused.status, refused.html]).toEqual([400, expect.stringContaining("was refused by Stripe")]);
    expect(refused.html).not.toContain("sk_test_wrong_secret");
    expect((await administrator.post(PATH, { secret_key: key })).location).toBe(PATH);
    const shown = await administrator.get(PATH);
    expect(shown.html).toContain(`Shop panel${names}`);
    expect(shown.html).toContain("test mode");
    expect(shown.html).not.toContain(key);
    expect((await administrator.get("/admin/payments")).html).toContain("test mode");
    const disconnected = await administrator.post(`${PATH}/disconnect`, fieldsOf(shown, `${PATH}/disconnect`));
    expect([disconnected.status, disconnected.location]).toEqual([303, PATH]);
    expect(await storedAccount("stripe")).toBeUndefined();
  });

  it("says that the deployment sets an account, and has no form for it", async () => {
    const administrator = await anAdministrator();
    const { html } = await administrator.get(PATH, stripeAccount("panel"));
    expect(html).toContain("secrets set this account");
    expect(html).not.toContain(`action="${PATH}"`);
  });
});
