import { env } from "cloudflare:workers";
import { eq, sql } from "drizzle-orm";
import { beforeEach, expect, it, vi } from "vitest";
import { connect, statement } from "../../src/platform/db/client.ts";
import { emails } from "../../src/platform/db/schema.ts";
import { queueEmail } from "../../src/platform/email/emails.ts";
import { sendEmails } from "../../src/platform/email/send.ts";
import { readSettings } from "../../src/platform/settings/settings.ts";
import { aMailbox, MAIL_FROM, scheduledAt, sending, tokenIn } from "../support/emails.ts";
import { LONG } from "../support/long.ts";
import { noRules, settleShop } from "../support/pricing.ts";
import { aUser, db } from "../support/shop.ts";
import { watched } from "../support/watched.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const now = Date.now();
const queueing = { settings: sending, author: { now } };

beforeEach(async () => {
  await db.delete(emails);
});

const reset = (userId: number, token = "sft_token", expiresAt = now + 30 * DAY_MS) =>
  queueEmail(queueing, { template: "password_reset", params: {}, userId, link: { token, expiresAt } });

/** Puts a password recovery e-mail into the outbox. */
async function queue(token?: string, expiresAt?: number) {
  const user = await aUser();
  await statement(db, reset(user.id, token, expiresAt));
  return user;
}

const outbox = () => db.select().from(emails).orderBy(emails.id);
const only = async () => (await outbox())[0];
const down = () => {
  throw new Error("the service is down");
};

/**
 * Sends e-mails over this many minutes. Skips minutes in which none is due, except the one before a due e-mail and the
 * last.
 */
async function sendFor(minutes: number, mailbox: ReturnType<typeof aMailbox>, from: number) {
  for (let minute = 0; minute <= minutes; ) {
    await sendEmails({ env: mailbox, db, settings: sending }, from + minute * MINUTE_MS);
    const due = await env.DB.prepare("SELECT min(due_at) AS due FROM emails").first<number>("due");
    const next = due === null ? minutes : Math.ceil((due - from) / MINUTE_MS);
    minute = Math.max(minute + 1, Math.min(minutes, next - 1));
  }
}

it("sends pending e-mails to the account's address as HTML and plain text, with a token that no row contains", async () => {
  const user = await queue("sft_the-token");
  expect(JSON.stringify(await outbox())).not.toContain("sft_the-token");
  const mailbox = aMailbox();
  await sendEmails({ env: mailbox, db, settings: sending }, now);
  const [email] = mailbox.delivered;
  const link = "https://shop.test/account/reset?token=sft_the-token";
  expect(email).toMatchObject({ to: user.email, from: { email: "shop@shop.test", name: "Storefront" } });
  expect(email?.text).toContain(`Hello ${user.name},`);
  expect(email?.text).toContain(link);
  expect(email?.html).toContain(`href="${link}"`);
  expect(tokenIn({ text: String(email?.text) })).toBe("sft_the-token");
  expect(await only()).toMatchObject({ state: "sent", sentAt: expect.any(Number), dueAt: null, attempts: 1 });
});

it("links customers to the storefront and staff to the Worker, if their addresses are known", async () => {
  const [customer, support] = [await aUser(), await aUser({ role: "support" })];
  for (const { id } of [customer, support]) await statement(db, reset(id));
  const sentBy = async (bindings: Partial<Env>) => {
    await db.update(emails).set({ state: "waiting", dueAt: now, attempts: 0 });
    const mailbox = aMailbox();
    const settings = readSettings({ ...env, MAIL_FROM, ...bindings } as Env);
    await sendEmails({ env: mailbox, db, settings }, now);
    const hostFor = (email: string) =>
      mailbox.delivered
        .filter(({ to }) => to === email)
        .map(({ text }) => /https:\/\/([^/]+)\/account/.exec(text)?.[1]);
    return [hostFor(customer.email), hostFor(support.email)];
  };
  const both = { SHOP_URL: "https://shop.example", WORKER_URL: "https://worker.example" };
  expect(await sentBy(both)).toEqual([["shop.example"], ["worker.example"]]);
  expect(await sentBy({ ...both, WORKER_URL: "" })).toEqual([["shop.example"], ["shop.example"]]);
  expect(await sentBy({ ...both, SHOP_URL: "" })).toEqual([["worker.example"], ["worker.example"]]);
});

it("is signed with the shop's name", async () => {
  await settleShop({ name: "Lamp & Co" });
  await queue();
  const mailbox = aMailbox();
  await sendEmails({ env: mailbox, db, settings: sending }, now);
  await noRules();
  const [email] = mailbox.delivered;
  expect(email?.from).toEqual({ email: "shop@shop.test", name: "Lamp & Co" });
  expect(email?.text).toContain("-- \nLamp & Co\n");
  expect(email?.html).toContain("Lamp &amp; Co");
  expect(`${email?.subject} ${email?.text} ${email?.html}`).not.toContain("Storefront");
});

it("sends each e-mail once, however many ask at the same instant", async () => {
  for (let made = 0; made < 25; made++) await queue();
  const mailbox = aMailbox();
  await Promise.all(Array.from({ length: 6 }, () => sendEmails({ env: mailbox, db, settings: sending }, now)));
  expect(new Set(mailbox.delivered.map(({ to }) => to)).size).toBe(25);
  expect(mailbox.delivered).toHaveLength(25);
});

it("does not take e-mails that a slow run is sending for cut off", async () => {
  for (let made = 0; made < 15; made++) await queue();
  vi.useFakeTimers({ toFake: ["Date"], now });
  let sent = 0;
  const another = aMailbox();
  const slow = {
    EMAIL: {
      send: async () => {
        sent++;
        // The first round takes longer than an attempt may. Another run starts during the second.
        if (sent === 1) vi.setSystemTime(now + 3 * MINUTE_MS);
        if (sent === 11) await sendEmails({ env: another, db, settings: sending }, Date.now());
        return { messageId: `<${sent}@shop.test>` };
      },
    },
  };
  await sendEmails({ env: slow, db, settings: sending }, now);
  vi.useRealTimers();
  const states = (await outbox()).map(({ state, reason }) => [state, reason]);
  expect(states).toEqual(Array.from({ length: 15 }, () => ["sent", null]));
  expect([sent, another.delivered.length]).toEqual([15, 0]);
});

it("loses nothing and sends nothing twice when the service is down for a day", LONG, async () => {
  for (let made = 0; made < 12; made++) await queue();
  let tries = 0;
  const broken = aMailbox(() => {
    tries++;
    down();
  });
  await sendFor(24 * 60, broken, now);
  expect(tries).toBeLessThan(12 * 31);
  expect(new Set((await outbox()).map(({ state, reason }) => `${state}: ${reason}`))).toEqual(
    new Set(["waiting: the service is down"]),
  );
  const mended = aMailbox();
  await sendFor(120, mended, now + DAY_MS);
  expect(new Set(mended.delivered.map(({ to }) => to)).size).toBe(12);
  expect(mended.delivered).toHaveLength(12);
});

it("gives up after more than a day, keeps the e-mail, and gives the reason", async () => {
  await queue();
  const broken = aMailbox(down);
  let gaveUpAfter = 0;
  for (let minute = 0; (await only())?.state === "waiting"; minute += 20) {
    await sendEmails({ env: broken, db, settings: sending }, now + minute * MINUTE_MS);
    gaveUpAfter = minute * MINUTE_MS;
  }
  expect(gaveUpAfter).toBeGreaterThan(DAY_MS);
  expect(await only()).toMatchObject({ state: "failed", reason: "the service is down", dueAt: null });
});

it("does not retry an e-mail that the service refuses permanently", async () => {
  await queue();
  const mailbox = aMailbox(() => {
    throw Object.assign(new Error("the recipient never wants to hear of us"), { code: "E_RECIPIENT_SUPPRESSED" });
  });
  await sendEmails({ env: mailbox, db, settings: sending }, now);
  expect(await only()).toMatchObject({ state: "failed", reason: "E_RECIPIENT_SUPPRESSED", attempts: 1 });
});

it.each([
  ["the binding", { EMAIL: undefined }, {}],
  ["MAIL_FROM", {}, { from: null }],
  ["an address for links", {}, { linkBase: null }],
])("keeps e-mails waiting without %s", async (_, binding, email) => {
  await queue();
  const mailbox = aMailbox();
  const incomplete = { ...sending, email: { ...sending.email, ...email } };
  await sendEmails({ env: { ...mailbox, ...binding }, db, settings: incomplete }, now);
  expect(mailbox.delivered).toEqual([]);
  expect(await only()).toMatchObject({ state: "waiting", attempts: 0 });
  await sendEmails({ env: mailbox, db, settings: sending }, now + 3 * DAY_MS);
  expect(mailbox.delivered).toHaveLength(1);
});

it("records that it was sent even if a call to the database fails", async () => {
  await queue();
  const mailbox = aMailbox();
  let calls = 0;
  const { DB } = watched(env, async (_, call) => {
    if (++calls === 2) throw new Error("D1_ERROR: Network connection lost.");
    return call();
  });
  await sendEmails({ env: mailbox, db: connect(DB), settings: sending }, now);
  expect(await only()).toMatchObject({ state: "sent" });
});

it("does not repeat an e-mail that was interrupted while being sent, and says so", async () => {
  await queue();
  await db.update(emails).set({ state: "sending", dueAt: now + 1 });
  const mailbox = aMailbox();
  await sendEmails({ env: mailbox, db, settings: sending }, now);
  expect(await only()).toMatchObject({ state: "sending" });
  await sendEmails({ env: mailbox, db, settings: sending }, now + 1);
  expect(mailbox.delivered).toEqual([]);
  expect(await only()).toMatchObject({
    state: "failed",
    reason: "Sending was interrupted, so it may have arrived",
  });
});

it("does not send a link that has expired meanwhile", async () => {
  await queue("sft_token", now + 1);
  const mailbox = aMailbox();
  await sendEmails({ env: mailbox, db, settings: sending }, now + 1);
  expect(mailbox.delivered).toEqual([]);
  expect(await only()).toMatchObject({ state: "failed", reason: "Its link expired before it could be sent" });
});

it("deletes e-mails without a recipient", async () => {
  await statement(db, queueEmail(queueing, { template: "password_reset", params: {}, userId: sql`NULL` }));
  const mailbox = aMailbox();
  await sendEmails({ env: mailbox, db, settings: sending }, now);
  expect(mailbox.delivered).toEqual([]);
  expect(await outbox()).toEqual([]);
});

it("is sent by the schedule, which deletes it a month later", async () => {
  const { email } = await queue();
  const mailbox = aMailbox();
  await scheduledAt(now, mailbox);
  expect(mailbox.delivered).toMatchObject([{ to: email }]);
  await scheduledAt(now + 30 * DAY_MS - 1, mailbox);
  expect(await outbox()).toHaveLength(1);
  await scheduledAt(now + 30 * DAY_MS, mailbox);
  expect(await outbox()).toEqual([]);
});

it("is deleted with the account", async () => {
  const { id } = await queue();
  await db.run(sql`DELETE FROM users WHERE id = ${id}`);
  expect(await db.select().from(emails).where(eq(emails.userId, id))).toEqual([]);
});
