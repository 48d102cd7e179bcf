import { env } from "cloudflare:workers";
import { inArray, sql } from "drizzle-orm";
import { afterEach, expect, it, vi } from "vitest";
import { closePayments } from "../../src/checkout/payments/close-payments.ts";
import { sendRefunds } from "../../src/checkout/payments/send-refunds.ts";
import { users } from "../../src/platform/db/schema.ts";
import { readSettings } from "../../src/platform/settings/settings.ts";
import { buy } from "../payments/support/shop.ts";
import { payByStripe, stripeAccount } from "../payments/support/stripe.ts";
import { call, callWith } from "../support/call.ts";
import { aMailbox, scheduledAt } from "../support/emails.ts";
import { aUser, db } from "../support/shop.ts";

afterEach(() => {
  vi.useRealTimers();
});

it("gives every queue its further rounds, however long a task before it took", async () => {
  const due = await Promise.all(Array.from({ length: 6 }, () => aUser({ eraseAt: 1 })));
  const { email } = await aUser();
  await call("POST /auth/forgot-password", { body: { email } });
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 1_000 });
  const slow = aMailbox(() => void vi.setSystemTime(Date.now() + 25_000));
  await scheduledAt(Date.now(), slow);
  expect(slow.delivered).toHaveLength(1);
  const ids = due.map(({ id }) => id);
  expect(await db.$count(users, sql`${inArray(users.id, ids)} AND ${users.erasedAt} IS NOT NULL`)).toBe(6);
});

const STRIPE = stripeAccount("overlapping");
const OUT_OF_REACH = { ...STRIPE, STRIPE_API_URL: "http://127.0.0.1:1" };

const failures = async () =>
  (await env.DB.prepare("SELECT queue, attempts, reason, next_attempt_at FROM failed_items").all()).results;

it.each([
  ["send_refunds", sendRefunds, true, "/v1/refunds"],
  ["close_payments", closePayments, false, "/v1/checkout/sessions/"],
] as const)(
  "counts a failure of %s once when three senders overlap, and names the outage",
  async (queue, send, isPaid, path) => {
    const { order, token } = await buy(STRIPE);
    if (isPaid) await payByStripe(STRIPE, order);
    await callWith(OUT_OF_REACH, `POST /account/orders/${order.id}/cancel`, { as: token });
    const settings = readSettings({ ...env, ...OUT_OF_REACH });
    const later = Date.now() + 120_000;
    await Promise.all([0, 10, 20].map((ms) => send({ db, settings }, later + ms)));
    const [failure, ...others] = await failures();
    expect([failure, others]).toMatchObject([{ queue, attempts: 2 }, []]);
    expect(failure?.reason).toContain(`Stripe did not answer ${path}`);
    await env.DB.prepare("DELETE FROM failed_items").run();
    await send({ db, settings: readSettings({ ...env, ...STRIPE }) }, later);
  },
);
