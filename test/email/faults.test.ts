import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { expect, it } from "vitest";
import { connect, statement } from "../../src/platform/db/client.ts";
import { emails } from "../../src/platform/db/schema.ts";
import { queueEmail } from "../../src/platform/email/emails.ts";
import { sendEmails } from "../../src/platform/email/send.ts";
import { aMailbox, sending } from "../support/emails.ts";
import { aUser, db } from "../support/shop.ts";
import { watched } from "../support/watched.ts";

const now = Date.now();
const HOUR_MS = 60 * 60_000;

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
  for (let later = 0; later < HOUR_MS; later += 60_000) {
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
