import { eq, inArray } from "drizzle-orm";
import { linkInserts, newAccountLink } from "../../src/accounts/users/email-address/link-tokens.ts";
import { newSession, sessionInserts } from "../../src/accounts/users/sessions/sessions.ts";
import { hashPassword } from "../../src/accounts/users/sign-in/passwords.ts";
import { toDecimal } from "../../src/domain/money.ts";
import { runAll } from "../../src/platform/db/client.ts";
import * as tables from "../../src/platform/db/schema.ts";
import { call } from "./call.ts";
import { aDiscount, aShippingMethod } from "./pricing.ts";
import { ADDRESS, aKey, aProduct, aUser, db, orderOf } from "./shop.ts";

/** A caller with a valid body, and the stored data that the request could change. */
export type Opened = { line: string; as?: string; body: Record<string, unknown>; rows: () => Promise<unknown> };

const PASSWORD = "correct horse";

const CONTACT = { phone: "+44 117 496 0123", company: "Ada & Co", accepts_marketing: true };

const OPTIONAL_PARTS = {
  company: "Ada & Co",
  address2: "Flat 2",
  region: "London",
  country: "GB",
  phone: "020 7946 0123",
};
const WHOLE_ADDRESS = { ...ADDRESS, ...OPTIONAL_PARTS };

let hashed: Promise<string> | undefined;
let emails = 0;

const anEmail = () => `sender-${++emails}@shop.test`;

/** A user with a known password, and a session with its refresh token. */
async function aMember() {
  hashed ??= hashPassword(PASSWORD);
  const user = await aUser();
  await db
    .update(tables.users)
    .set({ passwordHash: await hashed })
    .where(eq(tables.users.id, user.id));
  const session = newSession(Date.now(), { address: null, userAgent: null });
  await db.batch(sessionInserts({ db }, { userId: user.id, session }));
  return { ...user, refreshToken: session.refreshToken };
}

/** The token of a link that was e-mailed to an account. */
async function aLink(purpose: tables.LinkPurpose, { id, email }: { id: number; email: string }) {
  const link = newAccountLink(purpose, Date.now());
  await runAll(db, linkInserts({ author: { now: Date.now() } }, { link, userId: id, email }));
  return link.token;
}

/** All stored data about a user. */
async function rowsOf(userId: number) {
  const { addresses, carts, cartItems, orders, packages, refreshTokens, sessions, transactions, users } = tables;
  const cart = db.select({ id: carts.id }).from(carts).where(eq(carts.userId, userId));
  const session = db.select({ id: sessions.id }).from(sessions).where(eq(sessions.userId, userId));
  return await db.batch([
    db.select().from(users).where(eq(users.id, userId)),
    db.select().from(addresses).where(eq(addresses.userId, userId)),
    db.select().from(sessions).where(eq(sessions.userId, userId)),
    db.select().from(refreshTokens).where(inArray(refreshTokens.sessionId, session)),
    db.select().from(carts).where(eq(carts.userId, userId)),
    db.select().from(cartItems).where(inArray(cartItems.cartId, cart)),
    db.select().from(orders).where(eq(orders.userId, userId)),
    db.select().from(packages).where(eq(packages.userId, userId)),
    db.select().from(transactions).where(eq(transactions.userId, userId)),
  ]);
}

const ordersOfKey = (id: number) => db.select().from(tables.orders).where(eq(tables.orders.apiKeyId, id)).all();
const stockOf = (id: number) => db.select().from(tables.products).where(eq(tables.products.id, id)).all();

/** Every route that reads a body, with a request that would succeed. */
export const bodyRoutes: Record<string, () => Promise<Opened>> = {
  "POST /orders": async () => {
    const user = await aUser({ wallet: 10_000 });
    const product = await aProduct();
    const rows = async () => [await rowsOf(user.id), await stockOf(product.id)];
    return { line: "POST /orders", as: user.token, body: orderOf(product), rows };
  },
  "POST /orders with all that its total is made of": async () => {
    const user = await aUser({ wallet: 10_000 });
    const product = await aProduct();
    const code = await aDiscount({ kind: "percentage", percent: 100_000 });
    const method = await aShippingMethod({ price: 500 });
    const body = orderOf(product, 1, {
      shipping_method: method.id,
      discount_codes: [code.code],
      expected_total: 14,
    });
    return { line: "POST /orders", as: user.token, body, rows: () => rowsOf(user.id) };
  },
  "POST /checkout/quote": async () => {
    const user = await aUser();
    const body = { items: [{ product_id: (await aProduct()).id, quantity: 1 }], shipping_address: ADDRESS };
    return { line: "POST /checkout/quote", as: user.token, body, rows: () => rowsOf(user.id) };
  },
  "POST /orders for another's invoice": async () => {
    const user = await aUser({ wallet: 10_000 });
    const body = orderOf(await aProduct(), 1, { billing_address: WHOLE_ADDRESS });
    return { line: "POST /orders", as: user.token, body, rows: () => rowsOf(user.id) };
  },
  "POST /orders with an API key": async () => {
    const { id, key } = await aKey({ tier: "premium" });
    const product = await aProduct();
    const customer = { email: anEmail(), name: "Guest" };
    const body = orderOf(product, 1, { payment_method: "paypal", customer });
    return {
      line: "POST /orders",
      as: key,
      body,
      rows: async () => [await ordersOfKey(id), await stockOf(product.id)],
    };
  },
  "POST /account/addresses": async () => {
    const { id, token } = await aUser();
    const body = { ...WHOLE_ADDRESS, default: true };
    return { line: "POST /account/addresses", as: token, body, rows: () => rowsOf(id) };
  },
  "PUT /account/addresses/:id": async () => {
    const { id, token } = await aUser();
    const added = await call("POST /account/addresses", { as: token, body: ADDRESS });
    const body = { ...WHOLE_ADDRESS, default: true };
    return { line: `PUT /account/addresses/${added.body.data.id}`, as: token, body, rows: () => rowsOf(id) };
  },
  "POST /cart": async () => {
    const user = await aUser();
    const { id, price } = await aProduct();
    const body = { product_id: id, quantity: 2, price: toDecimal(price) };
    return { line: "POST /cart", as: user.token, body, rows: () => rowsOf(user.id) };
  },
  "PUT /cart/items/:id": async () => {
    const user = await aUser();
    const { id, price } = await aProduct();
    const added = await call("POST /cart", { as: user.token, body: { product_id: id } });
    const line = `PUT /cart/items/${added.body.data.items[0].id}`;
    return { line, as: user.token, body: { quantity: 3, price: toDecimal(price) }, rows: () => rowsOf(user.id) };
  },
  "POST /auth/signup": async () => {
    const email = anEmail();
    const rows = () => db.select().from(tables.users).where(eq(tables.users.email, email)).all();
    return { line: "POST /auth/signup", body: { email, password: PASSWORD, name: "New", ...CONTACT }, rows };
  },
  "POST /auth/login": async () => {
    const { id, email } = await aMember();
    return { line: "POST /auth/login", body: { email, password: PASSWORD }, rows: () => rowsOf(id) };
  },
  "POST /auth/refresh": async () => {
    const { id, refreshToken } = await aMember();
    return { line: "POST /auth/refresh", body: { refresh_token: refreshToken }, rows: () => rowsOf(id) };
  },
  "POST /auth/logout": async () => {
    const { id, token, refreshToken } = await aMember();
    return { line: "POST /auth/logout", as: token, body: { refresh_token: refreshToken }, rows: () => rowsOf(id) };
  },
  "POST /auth/forgot-password": async () => {
    const { id, email } = await aMember();
    return { line: "POST /auth/forgot-password", body: { email }, rows: () => rowsOf(id) };
  },
  "POST /auth/reset-password": async () => {
    const { id, email } = await aMember();
    const token = await aLink("reset_password", { id, email });
    const body = { token, password: "quite another password" };
    return { line: "POST /auth/reset-password", body, rows: () => rowsOf(id) };
  },
  "POST /auth/verify-email": async () => {
    const { id, email } = await aMember();
    const body = { token: await aLink("verify_email", { id, email }), password: PASSWORD };
    return { line: "POST /auth/verify-email", body, rows: () => rowsOf(id) };
  },
  "POST /auth/revert-email": async () => {
    const { id } = await aMember();
    const body = { token: await aLink("revert_email", { id, email: anEmail() }) };
    return { line: "POST /auth/revert-email", body, rows: () => rowsOf(id) };
  },
  "PUT /account/profile": async () => {
    const { id, token } = await aMember();
    const body = {
      name: "Renamed",
      email: anEmail(),
      password: "another one",
      current_password: PASSWORD,
      ...CONTACT,
    };
    return { line: "PUT /account/profile", as: token, body, rows: () => rowsOf(id) };
  },
  "DELETE /account": async () => {
    const { id, token } = await aMember();
    return { line: "DELETE /account", as: token, body: { current_password: PASSWORD }, rows: () => rowsOf(id) };
  },
};

/** Opens the caller of a route. */
export function opened(route: string): Promise<Opened> {
  const found = bodyRoutes[route];
  if (!found) throw new Error(`There is no body route ${route}`);
  return found();
}
