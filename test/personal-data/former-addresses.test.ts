import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { expect, it } from "vitest";
import { eraseDueAccounts } from "../../src/accounts/personal-data/erase-due.ts";
import { checkoutSessions, idempotencyKeys, linkTokens, orders } from "../../src/platform/db/schema.ts";
import { accountNow, anAccount, PASSWORD } from "../support/accounts.ts";
import { call } from "../support/call.ts";
import { delivered, tokenIn } from "../support/emails.ts";
import { objectIds, placesOf } from "../support/search-tables.ts";
import { aProduct, aUser, db, orderOf } from "../support/shop.ts";

const older = await objectIds();

const DAY_MS = 86_400_000;

const linkTo = async (email: string) => tokenIn((await delivered(email)).at(-1) ?? { text: "" });

/** Leaves an address in every place where staff, agents and guests can name it. */
async function spread(email: string, as: string) {
  const views = [
    { list: "orders", name: `Orders ${email.slice(0, 6)}`, filters: { search: `${email} 2026` } },
    { list: "users", name: `Found by ${email.toUpperCase()}`, filters: { search: "a friend" } },
  ];
  for (const body of views) expect((await call("POST /admin/saved-views", { as, body })).status).toBe(201);
  const caller = `anonymous:${email}`;
  await db
    .insert(idempotencyKeys)
    .values({ caller, key: "k", fingerprint: "f", answer: "", createdAt: Date.now() + 8 * DAY_MS });
  await db.insert(checkoutSessions).values({
    token: crypto.randomUUID(),
    reference: crypto.randomUUID(),
    kind: "checkout",
    status: "open",
    agent: "an agent",
    content: { buyer: { email } },
    expiresAt: Date.now() + 9 * DAY_MS,
    createdAt: 1,
    updatedAt: 1,
  });
}

const invite = async (email: string, as: string) =>
  expect((await call("POST /admin/staff/invitations", { as, body: { email, role: "support" } })).status).toBe(201);

/** A customer whose address changed three times. */
async function moved(n: number) {
  const [{ token: as }, account] = [await aUser({ role: "admin" }), await anAccount()];
  const later = ["second", "third", "last"].map((word) => `${word}-${n}@moved.test`);
  for (const email of later) {
    await call("POST /orders", { as: account.token, body: orderOf(await aProduct(), 1, { payment_method: "paypal" }) });
    await call("PUT /account/profile", { as: account.token, body: { email, current_password: PASSWORD } });
    await call("POST /auth/verify-email", { body: { token: await linkTo(email) } });
    expect((await accountNow(account.id)).email).toBe(email);
  }
  return { ...account, as, addresses: [account.email, ...later] };
}

async function erase({ id, token }: { id: number; token: string }) {
  const placed = await db.select().from(orders).where(eq(orders.userId, id));
  for (const order of placed) await call(`POST /account/orders/${order.id}/cancel`, { as: token });
  expect((await call("DELETE /account", { as: token, body: { current_password: PASSWORD } })).status).toBe(200);
  await eraseDueAccounts(env, db, Date.now() + 8 * DAY_MS);
  expect((await accountNow(id)).name).toBe("Erased account");
}

it("leaves no trace of any address in any store after three changes", async () => {
  const person = await moved(1);
  const { as, addresses } = person;
  for (const email of addresses) await spread(email, as);
  for (const email of addresses.slice(0, 3)) await invite(email, as);
  const places = await placesOf(addresses.slice(0, 3), older);
  expect(places).toEqual(
    expect.arrayContaining(["audit_log", "checkout_sessions", "idempotency_keys", "saved_views", "staff_invitations"]),
  );
  await erase(person);
  expect(await placesOf(addresses, older)).toEqual([]);
});

it("leaves what names a former address that belongs to somebody else since", async () => {
  const person = await moved(2);
  const [first = ""] = person.addresses;
  // For three days the link in the old address reserves it.
  await db.delete(linkTokens).where(eq(linkTokens.userId, person.id));
  const body = { email: first, password: PASSWORD, name: "Next Owner" };
  expect((await call("POST /auth/signup", { body })).status).toBe(201);
  await spread(first, person.as);
  await erase(person);
  expect(await placesOf([first], older)).toEqual(expect.arrayContaining(["users", "saved_views", "checkout_sessions"]));
});
