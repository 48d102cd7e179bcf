import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { expect, it } from "vitest";
import { connect, statement } from "../../src/platform/db/client.ts";
import { emails, users } from "../../src/platform/db/schema.ts";
import { queueEmail } from "../../src/platform/email/emails.ts";
import { sendEmails } from "../../src/platform/email/send.ts";
import { readSettings } from "../../src/platform/settings/settings.ts";
import { script, sent } from "../payments/support/stand-in.ts";
import { aMailbox, MAIL_FROM, sending } from "../support/emails.ts";
import { aUser, db, settings } from "../support/shop.ts";
import { watched } from "../support/watched.ts";

const now = Date.now();
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Sends an e-mail while the database calls with these numbers fail, then runs the schedule for an hour. */
async function sendFailing(numbers: number[], loss: "before" | "after") {
  const { id } = await aUser();
  const params = { at: now, address: null, userAgent: null };
  await statement(
    db,
    queueEmail({ settings: sending, author: { now } }, { template: "password_changed", params, userId: id }),
  );
  const mailbox = aMailbox();
  let calls = 0;
  const { DB } = watched(env, async (_, call) => {
    if (!numbers.includes(++calls)) return call();
    if (loss === "after") await call();
    throw new Error("D1_ERROR: Network connection lost.");
  });
  await sendEmails({ env: mailbox, db: connect(DB), settings: sending }, now).catch(() => undefined);
  for (let later = 0; later < HOUR_MS; later += 5 * MINUTE_MS) {
    await sendEmails({ env: mailbox, db, settings: sending }, now + later);
  }
  const row = await db.select().from(emails).where(eq(emails.userId, id)).get();
  return { sent: mailbox.delivered.length, state: row?.state, reason: row?.reason };
}

it.each([
  ["the claim", [1], "before"],
  ["the record that it was sent", [2], "before"],
  ["the record that it was sent, which is written though", [2], "after"],
  ["the record and another try", [2, 3], "before"],
] as const)("sends once when a call fails: %s", async (_, numbers, loss) => {
  expect(await sendFailing([...numbers], loss)).toEqual({ sent: 1, state: "sent", reason: null });
});

it("never sends twice, and never loses an e-mail silently", async () => {
  const lostClaim = await sendFailing([1], "after");
  expect(lostClaim).toMatchObject({ sent: 0, state: "failed", reason: expect.stringContaining("interrupted") });
  const unrecorded = await sendFailing([2, 3, 4], "before");
  expect(unrecorded).toMatchObject({ sent: 1, state: "failed", reason: expect.stringContaining("interrupted") });
});

const RESEND = { RESEND_API_KEY: "re_test_key", SHOP_NAME: 'Casey "and" Co', EMAIL: undefined };
const run = (at: number, bindings: object = RESEND) => {
  const bound = { ...env, MAIL_FROM, ...bindings };
  return sendEmails({ env: bound, db, settings: readSettings(bound) }, at);
};

async function queue() {
  const user = await aUser();
  await statement(
    db,
    queueEmail(
      { settings, author: { now } },
      {
        template: "password_changed",
        params: { at: now, address: "192.0.2.7", userAgent: "curl" },
        userId: user.id,
      },
    ),
  );
  const row = () => db.select().from(emails).where(eq(emails.userId, user.id)).get();
  return { ...user, row };
}

it("sends by Resend once its key is set, under the e-mail's key, without the binding", async () => {
  const { email, row } = await queue();
  await run(now);
  const requests = await sent(email, "POST /emails");
  expect(requests).toHaveLength(1);
  expect(requests[0]?.headers["idempotency-key"]).toBe((await row())?.key);
  const body = JSON.parse(String(requests[0]?.body));
  expect(body).toMatchObject({ to: email, from: '"Casey \\"and\\" Co" <shop@shop.test>' });
  expect(body.text).toContain("192.0.2.7");
  expect(Object.keys(body).sort()).toEqual(["from", "html", "subject", "text", "to"]);
  expect(await row()).toMatchObject({ state: "sent" });
});

it("resends an interrupted e-mail with the same key, which Resend recognizes", async () => {
  const { email, row } = await queue();
  await run(now);
  await db
    .update(emails)
    .set({ state: "sending", dueAt: now })
    .where(eq(emails.key, String((await row())?.key)));
  await run(now);
  const keys = (await sent(email, "POST /emails")).map(({ headers }) => headers["idempotency-key"]);
  expect(keys).toHaveLength(2);
  expect(new Set(keys).size).toBe(1);
  expect(await row()).toMatchObject({ state: "sent" });
});

it("treats a key that Resend knows with different content as sent", async () => {
  const { id, row } = await queue();
  await run(now);
  await db.update(users).set({ name: "Renamed" }).where(eq(users.id, id));
  await db.update(emails).set({ state: "sending", dueAt: now }).where(eq(emails.userId, id));
  await run(now);
  expect(await row()).toMatchObject({ state: "sent" });
});

it.each([429, 500, 503, 401])("tries again in a minute after a %i", async (status) => {
  const { email, row } = await queue();
  await script({ line: "POST /emails", about: email, status, body: { name: "some_error" } });
  await run(now);
  const { dueAt: due, ...waiting } = (await row()) ?? {};
  const dueAt = due ?? 0;
  expect(waiting).toMatchObject({ state: "waiting", reason: "Resend: some_error" });
  // A minute, and the milliseconds that the run had taken.
  expect(Math.floor((dueAt - now) / 1_000)).toBe(60);
  await run(dueAt);
  expect(await row()).toMatchObject({ state: "sent", reason: null, attempts: 2 });
});

it("gives up at once if Resend reports an invalid e-mail", async () => {
  const { email, row } = await queue();
  await script({ line: "POST /emails", about: email, status: 422, body: { name: "invalid_to_address" } });
  await run(now);
  expect(await row()).toMatchObject({ state: "failed", reason: "Resend: invalid_to_address" });
});

it("tries again if Resend cannot be reached", async () => {
  const { row } = await queue();
  await run(now, { ...RESEND, RESEND_API_URL: "http://127.0.0.1:9" });
  expect(await row()).toMatchObject({ state: "waiting", attempts: 1 });
  await run(now + 2 * MINUTE_MS);
  expect(await row()).toMatchObject({ state: "sent" });
});

it("is off while its key is not set", async () => {
  const { email, row } = await queue();
  await run(now, { EMAIL: undefined });
  expect(await sent(email)).toEqual([]);
  expect(await row()).toMatchObject({ state: "waiting", attempts: 0 });
  expect(env.RESEND_API_KEY).toBe("");
});
