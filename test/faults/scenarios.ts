import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import Stripe from "stripe";
import { linkInserts, newAccountLink } from "../../src/accounts/users/email-address/link-tokens.ts";
import { toStripeAmount } from "../../src/checkout/payments/amounts.ts";
import { shopCurrency, toMinor } from "../../src/domain/money.ts";
import { orderLinkToken } from "../../src/platform/auth/order-link.ts";
import { runAll } from "../../src/platform/db/client.ts";
import { type LinkPurpose, users } from "../../src/platform/db/schema.ts";
import { adminEndpoints } from "../admin/endpoints/index.ts";
import { stripeAccount } from "../payments/support/stripe.ts";
import { aStoredSubscription } from "../subscriptions/support.ts";
import { anAccount, aSession, PASSWORD } from "../support/accounts.ts";
import { call } from "../support/call.ts";
import { boughtGiftCards } from "../support/gift-cards.ts";
import { anImage } from "../support/images.ts";
import { aLicenseKey } from "../support/license-keys.ts";
import { noRules, settleShop } from "../support/pricing.ts";
import { aFeed, asAdministrator } from "../support/settings.ts";
import { ADDRESS, aFile, aKey, aPackage, aProduct, aUser, db, orderOf } from "../support/shop.ts";
import { anAccountWithFactor, challengeOf, codeOf, SECRET } from "../support/two-factor.ts";

/** A request with everything that it needs to succeed. */
export type Prepared = {
  line: string;
  as?: string;
  body?: unknown;
  headers?: Record<string, string>;
  /** Secrets that enable the route. */
  bindings?: Partial<Env>;
};

/** `anAdmin` returns the administrator who sends the request. By default it is a new one. */
export type Scenario = (anAdmin?: () => Promise<{ id: number; token: string }>) => Promise<Prepared>;

const SIGNING_SECRET = "whsec_only_for_the_faults";

let people = 0;

/** A user with items in the cart, in a shop that ships everywhere for free, whatever was set before. */
async function aShopper() {
  await noRules();
  const user = await aUser({ wallet: 10_000 });
  const product = await aProduct({ fileIds: [(await aFile({ access: "package" })).id] });
  const { body } = await call("POST /cart", { as: user.token, body: { product_id: product.id, quantity: 2 } });
  return { user, product, itemId: body.data.items[0].id };
}

/** A user who bought a file that is delivered as a link. */
async function aBuyer() {
  const user = await aUser();
  const file = await aFile({ access: "package", mimeType: "audio/wav" });
  await aPackage(user.id, [file.id], { downloadLimit: 3 });
  return { user, file };
}

/** The token of a link for a new account, about its own address unless another is named. */
async function aLink(purpose: LinkPurpose, email?: string) {
  const account = await anAccount();
  const link = newAccountLink(purpose, Date.now());
  await runAll(
    db,
    linkInserts({ author: { now: Date.now() } }, { link, userId: account.id, email: email ?? account.email }),
  );
  return link.token;
}

/** The link to a guest's free download, and its file. */
async function aGuestLink() {
  const [{ key }, { id }] = [await aKey(), await aFile({ access: "package" })];
  const customer = { email: `guest-${id}@faults.test`, name: "Guest" };
  const product = await aProduct({ type: "digital", price: 0, stock: null, fileIds: [id] });
  const { body } = await call("POST /orders", {
    as: key,
    body: orderOf(product, 1, { customer, payment_method: "paypal" }),
  });
  const [newest = ""] = env.LINK_SECRET.split(",");
  return { token: orderLinkToken([newest], { reference: body.data.reference, linkVersion: 0 }), file_id: id };
}

const withUser = (path: string) => async () => ({ line: path, as: (await aUser()).token });

const withLicense = (line: string, more: object) => async () => ({
  line,
  body: { license_key: (await aLicenseKey()).key, ...more },
});

const withAddress = (method: string, body?: unknown) => async () => {
  const { token } = await aUser();
  const added = await call("POST /account/addresses", { as: token, body: ADDRESS });
  return { line: `${method} /account/addresses/${added.body.data.id}`, as: token, body };
};

const withFactor = (step: string) => async () => ({
  line: `POST /account/two-factor/${step}`,
  as: (await anAccountWithFactor()).token,
  body: { code: codeOf(SECRET, 1) },
});

/** The admin routes, each called by an administrator. */
const administration: Record<string, Scenario> = Object.fromEntries(
  Object.entries(adminEndpoints).map(([endpoint, { request }]) => {
    const [method, route] = endpoint.split(" ");
    const scenario: Scenario = async (anAdmin = () => aUser({ role: "admin" })) => {
      const { id, token } = await anAdmin();
      const { path, ...sent } = await request(id);
      return { line: `${method} /admin${path}`, as: token, ...sent };
    };
    return [`${method} /api/v1/admin${route}`, scenario];
  }),
);

/** A new successful request for each route. The sweep fails if a route has none. */
export const scenarios: Record<string, Scenario> = {
  ...administration,
  "GET /": async () => ({ line: "GET https://shop.test/" }),
  "GET /health": async () => ({ line: "GET https://shop.test/health" }),
  "GET /.well-known/jwks.json": async () => ({ line: "GET https://shop.test/.well-known/jwks.json" }),
  "GET /docs/*": async () => ({ line: "GET https://shop.test/docs/" }),
  "GET /feeds/:file": async () => {
    const as = await asAdministrator();
    const { id } = await aFeed();
    return { line: `GET ${(await call(`POST /admin/feeds/${id}/address`, { as, body: {} })).body.data.address}` };
  },
  "GET /metrics": async () => ({
    line: "GET https://shop.test/metrics",
    as: (await aKey({ permissions: ["metrics:read"] })).key,
  }),
  "GET /images/:name": async () => ({ line: `GET ${(await anImage()).url}?width=160` }),
  "GET /api/v1/user/products": withUser("GET /products?search=product"),
  "GET /api/v1/user/products/:id": async () => ({
    line: `GET /products/${(await aProduct()).id}`,
    as: (await aUser()).token,
  }),
  "GET /api/v1/user/categories": withUser("GET /categories"),
  "GET /api/v1/user/pages": withUser("GET /pages?language=fr"),
  "GET /api/v1/user/pages/:slug": async () => {
    const body = { title: "Imprint", text: "Lamp & Co" };
    await call("PUT /admin/pages/imprint/en", { as: await asAdministrator(), body });
    return { line: "GET /pages/imprint?language=es", as: (await aUser()).token };
  },
  "POST /api/v1/user/orders": async () => {
    const { user, product } = await aShopper();
    const headers = { "Idempotency-Key": "sweep" };
    // The isolate loads the rules and the product, so that every run makes the same calls.
    const items = [{ product_id: product.id, quantity: 1 }];
    await call("POST /checkout/quote", { as: user.token, body: { items, shipping_address: ADDRESS } });
    return { line: "POST /orders", as: user.token, body: orderOf(product), headers };
  },
  "POST /api/v1/user/checkout/quote": async () => {
    const { user, product } = await aShopper();
    return { line: "POST /checkout/quote", as: user.token, body: { items: [{ product_id: product.id, quantity: 1 }] } };
  },
  "GET /api/v1/user/account/orders": withUser("GET /account/orders"),
  "GET /api/v1/user/account/orders/:orderId": async () => {
    const { user, product } = await aShopper();
    const { body } = await call("POST /orders", { as: user.token, body: orderOf(product) });
    return { line: `GET /account/orders/${body.data.id}`, as: user.token };
  },
  "POST /api/v1/user/orders/link": async () => ({
    line: "POST /orders/link",
    body: { token: (await aGuestLink()).token },
  }),
  "POST /api/v1/user/orders/link/downloads": async () => ({
    line: "POST /orders/link/downloads",
    body: await aGuestLink(),
  }),
  "POST /api/v1/user/orders/link/rotate": async () => ({
    line: "POST /orders/link/rotate",
    body: { token: (await aGuestLink()).token },
  }),
  "POST /api/v1/user/account/orders/:orderId/cancel": async () => {
    const { user, product } = await aShopper();
    const { body } = await call("POST /orders", { as: user.token, body: orderOf(product, 2) });
    return { line: `POST /account/orders/${body.data.id}/cancel`, as: user.token, headers: { "Idempotency-Key": "x" } };
  },
  "GET /api/v1/user/account/subscriptions": withUser("GET /account/subscriptions"),
  "POST /api/v1/user/account/subscriptions/:id/cancel": async () => {
    const { id, user } = await aStoredSubscription();
    return { line: `POST /account/subscriptions/${id}/cancel`, as: user.token, body: {} };
  },
  "POST /api/v1/user/account/subscriptions/:id/portal": async () => {
    const { id, user } = await aStoredSubscription({ hasEnded: false });
    const bindings = stripeAccount("faults");
    return { line: `POST /account/subscriptions/${id}/portal`, as: user.token, body: {}, bindings };
  },
  "GET /api/v1/user/account/invoices": withUser("GET /account/invoices"),
  "GET /api/v1/user/account/invoices/:id/:format": async () => {
    const [user, as] = [await aUser({ wallet: 10_000 }), await asAdministrator()];
    const { body } = await call("POST /orders", { as: user.token, body: orderOf(await aProduct()) });
    await call("PUT /admin/shop", { as, body: { address: ADDRESS } });
    const invoice = await call(`POST /admin/orders/${body.data.id}/invoices`, { as, body: {} });
    return { line: `GET /account/invoices/${invoice.body.data.id}/pdf`, as: user.token };
  },
  "GET /api/v1/user/account/returns": withUser("GET /account/returns"),
  "POST /api/v1/user/account/orders/:orderId/returns": async () => {
    const { user } = await aShopper();
    const product = await aProduct({ type: "service", requiresShipping: false });
    const { body } = await call("POST /orders", { as: user.token, body: orderOf(product) });
    const headers = { "Idempotency-Key": "x" };
    return { line: `POST /account/orders/${body.data.id}/returns`, as: user.token, body: {}, headers };
  },
  "POST /api/v1/user/withdrawals": async () => {
    const { user, product } = await aShopper();
    await settleShop({ homeCountry: "DE" });
    const { body } = await call("POST /orders", { as: user.token, body: orderOf(product) });
    const headers = { "Idempotency-Key": "x" };
    return { line: "POST /withdrawals", body: { name: "Ada", email: user.email, order: body.data.number }, headers };
  },
  "GET /api/v1/user/account/transactions": withUser("GET /account/transactions"),
  "GET /api/v1/user/account/addresses": withUser("GET /account/addresses"),
  "POST /api/v1/user/account/addresses": async () => ({
    line: "POST /account/addresses",
    as: (await aUser()).token,
    body: { ...ADDRESS, default: true },
  }),
  "GET /api/v1/user/account/addresses/:id": withAddress("GET"),
  "PUT /api/v1/user/account/addresses/:id": withAddress("PUT", { city: "Bath" }),
  "DELETE /api/v1/user/account/addresses/:id": withAddress("DELETE"),
  "GET /api/v1/user/account/packages": withUser("GET /account/packages"),
  "GET /api/v1/user/account/license-keys": withUser("GET /account/license-keys"),
  "GET /api/v1/user/account/gift-cards": withUser("GET /account/gift-cards"),
  "POST /api/v1/user/account/gift-cards/redeem": async () => {
    const { code } = await boughtGiftCards();
    return { line: "POST /account/gift-cards/redeem", as: (await aUser()).token, body: { code } };
  },
  "POST /api/v1/user/licenses/activate": withLicense("POST /licenses/activate", { instance_name: "Laptop" }),
  "POST /api/v1/user/licenses/validate": withLicense("POST /licenses/validate", { instance_id: "none" }),
  "POST /api/v1/user/licenses/deactivate": withLicense("POST /licenses/deactivate", { instance_id: "none" }),
  "POST /api/v1/user/auth/signup": async () => ({
    line: "POST /auth/signup",
    body: { email: `new-${++people}@faults.test`, password: PASSWORD, name: "New" },
  }),
  "POST /api/v1/user/auth/login": async () => ({
    line: "POST /auth/login",
    body: { email: (await anAccount()).email, password: PASSWORD },
  }),
  "POST /api/v1/user/auth/login/two-factor": async () => ({
    line: "POST /auth/login/two-factor",
    body: { challenge: await challengeOf((await anAccountWithFactor()).email), code: codeOf(SECRET, 1) },
  }),
  "POST /api/v1/user/auth/reauthenticate": async () => ({
    line: "POST /auth/reauthenticate",
    as: (await anAccount()).token,
    body: { current_password: PASSWORD },
  }),
  "GET /api/v1/user/account/two-factor": withUser("GET /account/two-factor"),
  "POST /api/v1/user/account/two-factor": async () => ({
    line: "POST /account/two-factor",
    as: (await anAccount()).token,
    body: { current_password: PASSWORD },
  }),
  "POST /api/v1/user/account/two-factor/confirm": async () => {
    const { token } = await anAccount();
    const { body } = await call("POST /account/two-factor", { as: token, body: { current_password: PASSWORD } });
    return { line: "POST /account/two-factor/confirm", as: token, body: { code: codeOf(body.data.secret) } };
  },
  "POST /api/v1/user/account/two-factor/recovery-codes": withFactor("recovery-codes"),
  "POST /api/v1/user/account/two-factor/disable": withFactor("disable"),
  "POST /api/v1/user/auth/refresh": async () => ({
    line: "POST /auth/refresh",
    body: { refresh_token: (await aSession((await aUser()).id)).refreshToken },
  }),
  "POST /api/v1/user/auth/logout": async () => ({ line: "POST /auth/logout", as: (await aUser()).token }),
  "POST /api/v1/user/auth/forgot-password": async () => ({
    line: "POST /auth/forgot-password",
    body: { email: (await anAccount()).email },
  }),
  "POST /api/v1/user/auth/reset-password": async () => ({
    line: "POST /auth/reset-password",
    body: { token: await aLink("reset_password"), password: "another password" },
  }),
  "POST /api/v1/user/auth/verify-email": async () => ({
    line: "POST /auth/verify-email",
    body: { token: await aLink("change_email", `changed-${++people}@faults.test`) },
  }),
  "POST /api/v1/user/auth/verify-email/resend": async () => {
    const { id, token } = await anAccount();
    await db.update(users).set({ emailVerifiedAt: null }).where(eq(users.id, id));
    return { line: "POST /auth/verify-email/resend", as: token };
  },
  "POST /api/v1/user/auth/revert-email": async () => ({
    line: "POST /auth/revert-email",
    body: { token: await aLink("revert_email", `former-${++people}@faults.test`) },
  }),
  "GET /api/v1/user/account/profile": withUser("GET /account/profile"),
  "PUT /api/v1/user/account/profile": async () => ({
    line: "PUT /account/profile",
    as: (await anAccount()).token,
    body: { password: "another password", current_password: PASSWORD },
  }),
  "GET /api/v1/user/account/sessions": withUser("GET /account/sessions"),
  "DELETE /api/v1/user/account/sessions": withUser("DELETE /account/sessions"),
  "DELETE /api/v1/user/account/sessions/:id": async () => {
    const user = await aUser();
    return { line: `DELETE /account/sessions/${(await aSession(user.id)).id}`, as: user.token };
  },
  "GET /api/v1/user/account/export": withUser("GET /account/export"),
  "DELETE /api/v1/user/account": async () => ({
    line: "DELETE /account",
    as: (await anAccount()).token,
    body: { current_password: PASSWORD },
  }),
  "POST /api/v1/user/account/restore": withUser("POST /account/restore"),
  "GET /api/v1/user/files": withUser("GET /files"),
  "GET /api/v1/user/download-file": async () => {
    const user = await aUser();
    const file = await aFile({ access: "package" });
    await aPackage(user.id, [file.id], { downloadLimit: 3 });
    return { line: `GET /download-file?file_id=${file.id}`, as: user.token };
  },
  "GET /api/v1/user/downloads": async () => {
    const { user, file } = await aBuyer();
    const { body } = await call(`GET /download-file?file_id=${file.id}`, { as: user.token });
    return { line: `GET ${body.data.url}` };
  },
  "GET /api/v1/user/cart": withUser("GET /cart"),
  "POST /api/v1/user/cart": async () => ({
    line: "POST /cart",
    as: (await aUser()).token,
    body: { product_id: (await aProduct()).id },
  }),
  "DELETE /api/v1/user/cart": async () => ({ line: "DELETE /cart", as: (await aShopper()).user.token }),
  "PUT /api/v1/user/cart/items/:id": async () => {
    const { user, itemId } = await aShopper();
    return { line: `PUT /cart/items/${itemId}`, as: user.token, body: { quantity: 1 } };
  },
  "DELETE /api/v1/user/cart/items/:id": async () => {
    const { user, itemId } = await aShopper();
    return { line: `DELETE /cart/items/${itemId}`, as: user.token };
  },
  "POST /api/v1/webhooks/:provider{stripe|paypal|test}": async () => {
    const { user, product } = await aShopper();
    const order = await call("POST /orders", {
      as: user.token,
      body: orderOf(product, 1, { payment_method: "credit_card" }),
    });
    const payload = JSON.stringify(paidSession(order.body.data));
    const cryptoProvider = Stripe.createSubtleCryptoProvider();
    const signed = { payload, secret: SIGNING_SECRET, cryptoProvider };
    return {
      line: "POST https://shop.test/api/v1/webhooks/stripe",
      body: payload,
      headers: { "Stripe-Signature": await new Stripe("sk_test").webhooks.generateTestHeaderStringAsync(signed) },
      bindings: {
        STRIPE_SECRET_KEY: "sk_test_only_for_the_faults",
        STRIPE_WEBHOOK_SECRET: SIGNING_SECRET,
        CHECKOUT_RETURN_URL: "https://shop.test/{reference}",
      },
    };
  },
};

/** Stripe's event for a paid checkout. */
const paidSession = (order: { reference: string; total: number }) => ({
  id: `evt_${order.reference}`,
  object: "event",
  type: "checkout.session.completed",
  data: {
    object: {
      id: `cs_${order.reference}`,
      object: "checkout.session",
      payment_status: "paid",
      payment_intent: `pi_${order.reference}`,
      amount_total: toStripeAmount(toMinor(order.total), shopCurrency()),
      currency: shopCurrency().toLowerCase(),
      client_reference_id: order.reference,
      metadata: { order_reference: order.reference },
    },
  },
});
