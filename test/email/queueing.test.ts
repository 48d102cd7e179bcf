import { env } from "cloudflare:workers";
import { and, eq, isNotNull } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { eraseDueAccounts } from "../../src/accounts/personal-data/erase-due.ts";
import { followEvents } from "../../src/apps/follow-events.ts";
import { connect } from "../../src/platform/db/client.ts";
import { emails, eventCursors, events, orderItems, orders, users } from "../../src/platform/db/schema.ts";
import { queueEventEmails } from "../../src/platform/email/follow.ts";
import { everyMinute } from "../../src/scheduled.ts";
import { anAccount, PASSWORD } from "../support/accounts.ts";
import { call } from "../support/call.ts";
import { aMailbox, aSendingShop, delivered, scheduledAt } from "../support/emails.ts";
import { anAdministrator } from "../support/panel.ts";
import { aKey, aProduct, aUser, db, onPurpose, orderOf } from "../support/shop.ts";
import { watched } from "../support/watched.ts";

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;

beforeEach(async () => {
  await db.delete(emails);
});

const outbox = () => db.select().from(emails).orderBy(emails.id);
const ofOrders = () => outbox().where(isNotNull(emails.orderId));

async function place(user: { token: string }, more: Record<string, unknown> = {}) {
  const { body } = await call("POST /orders", {
    as: user.token,
    body: orderOf(await aProduct(), 1, { payment_method: "paypal", ...more }),
    headers: onPurpose(),
  });
  return body.data as { id: number; number: string };
}

/** Marks all events so far as read by every consumer. */
async function unread() {
  const last = await db.select({ id: events.id }).from(events).orderBy(events.id);
  const afterId = last.at(-1)?.id ?? 0;
  return () => db.update(eventCursors).set({ afterId }).where(eq(eventCursors.reader, "e-mails"));
}

/** Orders without any e-mail. */
async function ordersToWriteOf(count: number) {
  const user = await aUser();
  const rewind = await unread();
  for (let placed = 0; placed < count; placed++) await place(user);
  await followEvents(env);
  await rewind();
  return user;
}

describe("each e-mail is queued once", () => {
  it("when several consumers read the events at the same instant", async () => {
    await ordersToWriteOf(5);
    const runs = await Promise.all(Array.from({ length: 6 }, () => queueEventEmails(db, Date.now())));
    expect(runs.map(({ queued }) => queued).sort()).toEqual([0, 0, 0, 0, 0, 5]);
    expect(await ofOrders()).toHaveLength(5);
  });

  it.each(["before", "after"] as const)("when a run fails %s it was written", async (loss) => {
    await ordersToWriteOf(2);
    const { DB } = watched(env, async (_, call) => {
      if (loss === "after") await call();
      throw new Error("D1_ERROR: Network connection lost.");
    });
    await expect(queueEventEmails(connect(DB), Date.now())).rejects.toThrow();
    await queueEventEmails(db, Date.now());
    expect(await ofOrders()).toHaveLength(2);
  });

  it("when the schedule finds an event that its own request had no time for", async () => {
    const user = await ordersToWriteOf(1);
    const mailbox = aMailbox();
    await scheduledAt(Date.now(), mailbox);
    await scheduledAt(Date.now(), mailbox);
    expect(mailbox.delivered.map(({ to }) => to)).toEqual([user.email]);
  });

  it("however many events there are", async () => {
    const user = await ordersToWriteOf(1);
    const row = { type: "product.updated", subject: "product:1", createdAt: Date.now(), data: {} } as const;
    for (let made = 0; made < 50; made++) await db.insert(events).values(Array.from({ length: 20 }, () => row));
    for (let made = 0; made < 55; made++) await db.insert(events).values(Array.from({ length: 20 }, () => row));
    await place(user);
    const rewind = await db.select().from(orders).where(eq(orders.userId, user.id));
    expect(rewind).toHaveLength(2);
    await db.delete(emails);
    await db.update(eventCursors).set({ afterId: 0 }).where(eq(eventCursors.reader, "e-mails"));
    const runs = [];
    do runs.push(await queueEventEmails(db, Date.now()));
    while (runs.at(-1)?.more);
    expect(runs.length).toBeGreaterThan(1);
    expect((await ofOrders()).filter(({ userId }) => userId === user.id)).toHaveLength(2);
  });
});

describe("nothing is queued", () => {
  it("where no e-mails are sent, not even once they are enabled", async () => {
    const user = await ordersToWriteOf(1);
    await everyMinute({ ...env, ...aMailbox() }, Date.now());
    expect(await ofOrders()).toEqual([]);
    const mailbox = aMailbox();
    await scheduledAt(Date.now(), mailbox);
    expect(mailbox.delivered.filter(({ to }) => to === user.email)).toEqual([]);
  });

  it("for events more than a day old", async () => {
    await ordersToWriteOf(1);
    await queueEventEmails(db, Date.now() + DAY_MS);
    expect(await ofOrders()).toEqual([]);
  });

  it("for e-mails that an administrator has switched off, until they are switched on again", async () => {
    const administrator = await anAdministrator();
    const turn = (to: string) => administrator.post(`/admin/emails/templates/order_confirmation/${to}`, {});
    expect((await turn("off")).status).toBe(303);
    const { html } = await administrator.get("/admin/emails");
    expect(html).toContain("Switched off: Order confirmation");
    await ordersToWriteOf(1);
    await queueEventEmails(db, Date.now());
    expect(await ofOrders()).toEqual([]);
    await turn("on");
    await ordersToWriteOf(1);
    await queueEventEmails(db, Date.now());
    expect(await ofOrders()).toHaveLength(1);
    const log = (await administrator.get("/admin/audit-log")).html;
    expect(log).toContain("Switched off e-mail");
    expect(log).toContain("Switched on e-mail");
  });

  it("for an erased person, about whom the outbox contains nothing any more", async () => {
    const user = await anAccount();
    const rewind = await unread();
    const { id } = await place(user);
    await call(`POST /account/orders/${id}/cancel`, { as: user.token });
    await rewind();
    await queueEventEmails(db, Date.now());
    expect(await ofOrders()).toHaveLength(2);
    await call("DELETE /account", { as: user.token, body: { current_password: PASSWORD } });
    await eraseDueAccounts(env, db, Date.now() + 8 * DAY_MS);
    expect(JSON.stringify(await outbox())).not.toContain(user.email);
    await rewind();
    await queueEventEmails(db, Date.now());
    expect((await ofOrders()).filter(({ userId }) => userId === user.id)).toEqual([]);
  });

  it("for a guest without an e-mail address", async () => {
    const { key } = await aKey();
    const rewind = await unread();
    await place({ token: key });
    await rewind();
    await queueEventEmails(db, Date.now());
    expect(await ofOrders()).toEqual([]);
  });
});

describe("an unverified address", () => {
  it("gets ten e-mails about an account's orders in an hour, in addition to those about the account", async () => {
    const { id, email, token } = await anAccount({ emailVerifiedAt: null, wallet: 1_000_000 });
    const rewind = await unread();
    for (let placed = 0; placed < 12; placed++) await place({ token }, { payment_method: "wallet" });
    await rewind();
    await queueEventEmails(db, Date.now());
    expect(await ofOrders()).toHaveLength(10);
    await rewind();
    await queueEventEmails(db, Date.now());
    expect(await ofOrders()).toHaveLength(10);
    await call("POST /auth/forgot-password", { body: { email } });
    expect((await delivered(email)).some(({ subject }) => subject.startsWith("Reset your password"))).toBe(true);
    await rewind();
    await queueEventEmails(db, Date.now() + HOUR_MS + 60_000);
    expect(await ofOrders()).toHaveLength(20);
    await db.delete(emails);
    await db.update(users).set({ emailVerifiedAt: Date.now() }).where(eq(users.id, id));
    await rewind();
    await queueEventEmails(db, Date.now());
    expect(await ofOrders()).toHaveLength(12);
  });

  it("gets ten about guests' orders, even if it is an account's, because a guest may be somebody else", async () => {
    const { key } = await aKey();
    const { email } = await aUser();
    const rewind = await unread();
    for (let placed = 0; placed < 6; placed++) {
      const order = await place({ token: key }, { customer: { email, name: "Eve" } });
      await call(`POST /account/orders/${order.id}/cancel`, { as: key });
    }
    await rewind();
    await queueEventEmails(db, Date.now());
    expect(await ofOrders()).toHaveLength(10);
  });
});

it("creates neither markup nor a header from a name such as <b>, wherever it came from", async () => {
  const user = await aUser({ name: '<img src=x>"\r\nBcc: eve@evil.test' });
  const { bindings, received } = aSendingShop();
  const rewind = await unread();
  const { id } = await place(user);
  await db
    .update(orderItems)
    .set({ name: '<a href="https://evil.test">Satchel</a>\r\nBcc: eve@evil.test' })
    .where(eq(orderItems.orderId, id));
  await rewind();
  await followEvents({ ...env, ...bindings });
  const [email] = received(user.email);
  expect(email?.html).not.toMatch(/<img|<a href="https:\/\/evil/);
  expect(email?.html).toContain("&lt;a href=");
  expect(email?.subject).not.toMatch(/[\r\n<]/);
});

it("shows the order as it is when sent, and stores nothing of it in the outbox", async () => {
  const user = await ordersToWriteOf(1);
  await queueEventEmails(db, Date.now());
  const [row] = await ofOrders();
  expect(row?.params).toEqual({});
  await call(`POST /account/orders/${row?.orderId}/cancel`, { as: user.token });
  const [email] = await delivered(user.email);
  expect(email?.text).toContain("The order was cancelled.");
  expect(email?.text).not.toContain("Please pay");
});

it("sends one again, and audits that with the guest's order", async () => {
  const { key } = await aKey();
  const rewind = await unread();
  const { id } = await place({ token: key }, { customer: { email: "again@example.test", name: "Ada" } });
  await rewind();
  await queueEventEmails(db, Date.now());
  await delivered();
  const administrator = await anAdministrator();
  const row = await db
    .select()
    .from(emails)
    .where(and(eq(emails.orderId, id)))
    .get();
  await administrator.post(`/admin/emails/${row?.id}/send`, {});
  expect(await delivered("again@example.test")).toHaveLength(1);
  expect((await administrator.get(`/admin/audit-log?subject=order&subject_id=${id}`)).html).toContain(
    "Sent an e-mail again to",
  );
});
