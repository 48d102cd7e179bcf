import { env } from "cloudflare:workers";
import { eq, inArray } from "drizzle-orm";
import fc from "fast-check";
import { expect, it } from "vitest";
import { syncDueSubscriptions } from "../../src/checkout/subscriptions/sync.ts";
import { licenseKeys, orders, packages, subscriptions, transactions } from "../../src/platform/db/schema.ts";
import { readSettings } from "../../src/platform/settings/settings.ts";
import { buy } from "../payments/support/shop.ts";
import { stripeAccount, tellStripe } from "../payments/support/stripe.ts";
import { callWith } from "../support/call.ts";
import { brokenInvariants } from "../support/invariants.ts";
import { LONG } from "../support/long.ts";
import { runsOf } from "../support/runs.ts";
import { asAdministrator } from "../support/settings.ts";
import { db } from "../support/shop.ts";
import { anInvoice, aRenewingFont, aSubscription, bill, billingEvent, GRACE_MS, inDays, ordersOf } from "./support.ts";

const STRIPE = stripeAccount("random-renewals");
const shop = { env, db, settings: readSettings({ ...env, ...STRIPE }) };

/** A subscription at Stripe, and a plain model of the shop. */
type World = {
  billed: ReturnType<typeof aSubscription>;
  /** Events that Stripe has not delivered, and those that it has. */
  waiting: string[];
  delivered: string[];
  /** Invoices and the end that the shop has seen, and renewals that staff refunded. */
  seen: { invoices: number; endedAt: number | null };
  refunded: Set<number>;
  admin: string;
};

type Step = (world: World) => Promise<void>;

/** Changes the subscription at Stripe, which writes an event. The shop hears nothing of it yet. */
const atStripe =
  (type: string, change: (billed: World["billed"]) => void): Step =>
  async ({ billed, waiting }) => {
    change(billed);
    waiting.push(billingEvent(type, billed));
  };

const pay = fc.record({ amount: fc.integer({ min: 0, max: 5000 }), days: fc.integer({ min: 1, max: 400 }) });

const see = (world: World) => {
  world.seen = { invoices: world.billed.invoices.length, endedAt: world.billed.ended_at };
};

/** Delivers events at the same moment. Whatever they say, the shop sees the state that Stripe has now. */
const deliver = async (world: World, payloads: string[]) => {
  if (payloads.length === 0) return;
  await bill(world.billed);
  for (const { status } of await Promise.all(payloads.map((payload) => tellStripe(STRIPE, { payload })))) {
    expect(status).toBe(200);
  }
  see(world);
  await compare(world);
};

const taken = (events: string[], at: number, count: number) =>
  Array.from({ length: Math.min(count, events.length) }, () => events.splice(at % events.length, 1)).flat();

const steps = {
  pay: pay.map(({ amount, days }) =>
    atStripe("invoice.paid", (billed) => {
      billed.invoices.push(
        anInvoice({
          amount_paid: amount,
          period_end: inDays(days),
          ...(amount === 0 && { payment_intent: null }),
        }),
      );
      billed.status = billed.ended_at === null ? "active" : "canceled";
      billed.current_period_end = inDays(days);
    }),
  ),
  fail: fc.constant(
    atStripe("invoice.payment_failed", (billed) => {
      if (billed.ended_at === null) billed.status = "past_due";
    }),
  ),
  cancel: fc.boolean().map((cancels) =>
    atStripe("customer.subscription.updated", (billed) => {
      billed.cancel_at_period_end = cancels;
    }),
  ),
  end: fc.integer({ min: 0, max: 100 }).map((days) =>
    atStripe("customer.subscription.deleted", (billed) => {
      if (billed.ended_at === null) Object.assign(billed, { status: "canceled", ended_at: inDays(days) });
    }),
  ),
  deliver: fc.tuple(fc.nat(20), fc.integer({ min: 1, max: 3 })).map(
    ([at, count]): Step =>
      async (world) => {
        const events = taken(world.waiting, at, count);
        await deliver(world, events);
        world.delivered.push(...events);
      },
  ),
  repeat: fc.nat(20).map(
    (at): Step =>
      (world) => {
        const again = world.delivered[at % Math.max(1, world.delivered.length)];
        return deliver(world, again ? [again, again] : []);
      },
  ),
  lose: fc.nat(20).map(
    (at): Step =>
      async ({ waiting }) =>
        void taken(waiting, at, 1),
  ),
  refund: fc.nat(20).map(
    (at): Step =>
      async (world) => {
        const { billed, refunded, admin } = world;
        const paid = await ordersOf(billed);
        const id = paid[at % Math.max(1, paid.length)];
        if (id === undefined || refunded.has(id)) return;
        const path = `POST /admin/orders/${id}/refunds`;
        const { status } = await callWith(STRIPE, path, { as: admin, body: {} });
        if (status === 200) refunded.add(id);
        await compare(world);
      },
  ),
};

const step = fc.oneof(
  { weight: 3, arbitrary: steps.pay },
  { weight: 4, arbitrary: steps.deliver },
  ...Object.values(steps),
);

/** Compares the shop with the model of what it has seen. */
async function compare({ billed, seen, refunded }: World): Promise<void> {
  const invoices = billed.invoices.slice(0, seen.invoices);
  const ids = await ordersOf(billed);
  const [placed, moved, granted, keys, [subscription]] = await db.batch([
    db.select().from(orders).where(inArray(orders.id, ids)).orderBy(orders.id),
    db.select().from(transactions).where(inArray(transactions.orderId, ids)),
    db.select().from(packages).where(inArray(packages.orderId, ids)).orderBy(packages.orderId),
    db
      .select()
      .from(licenseKeys)
      .where(eq(licenseKeys.orderId, ids[0] ?? 0)),
    db.select().from(subscriptions).where(eq(subscriptions.reference, billed.id)),
  ]);
  expect(placed.map(({ total }) => total)).toEqual(invoices.map(({ amount_paid }) => amount_paid));
  const money = (kind: string) => moved.reduce((sum, each) => sum + (each.kind === kind ? each.amount : 0), 0);
  const paid = invoices.map(({ amount_paid }, index) => ({ amount_paid, id: ids[index] ?? 0 }));
  expect(money("charge")).toBe(-paid.reduce((sum, { amount_paid }) => sum + amount_paid, 0) + 0);
  const returned = paid.filter(({ id }) => refunded.has(id)).reduce((sum, { amount_paid }) => sum + amount_paid, 0);
  expect(money("refund")).toBe(returned);

  const ends = invoices.map(({ period_end }, index) => ({
    id: ids[index] ?? 0,
    until: Math.min(period_end * 1000 + GRACE_MS, (seen.endedAt ?? Number.POSITIVE_INFINITY) * 1000),
  }));
  const open = granted.filter(({ revokedAt }) => revokedAt === null);
  const kept = ends.filter(({ id }) => !refunded.has(id));
  expect(open.map(({ orderId, expiresAt }) => [orderId, expiresAt])).toEqual(kept.map(({ id, until }) => [id, until]));
  const paidUntil = Math.max(...kept.map(({ until }) => until));
  expect(keys).toMatchObject([{ expiresAt: kept.length > 0 ? paidUntil : expect.any(Number) }]);
  const [key] = keys;
  if (kept.length === 0) expect(key?.expiresAt).toBeLessThanOrEqual(Date.now());
  expect(subscription).toMatchObject({ endedAt: seen.endedAt === null ? null : seen.endedAt * 1000 });
}

it(
  "has an order for each paid invoice and access as a plain model, through any sequence of Stripe's events",
  LONG,
  async () => {
    const admin = await asAdministrator();
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 12, maxLength: 12 }), async (all) => {
        const { order } = await buy(STRIPE, { product: await aRenewingFont() });
        const billed = aSubscription(order);
        const first = billingEvent("invoice.paid", billed);
        const world: World = {
          billed,
          waiting: [],
          delivered: [first],
          seen: { invoices: 0, endedAt: null },
          refunded: new Set(),
          admin,
        };
        await deliver(world, [first]);
        for (const happen of all) await happen(world);
        // Whatever was lost, the schedule finds.
        if (world.seen.endedAt === null) {
          await bill(billed);
          await syncDueSubscriptions(shop, inDays(500) * 1000);
          see(world);
          await compare(world);
        }
      }),
      { numRuns: runsOf(40) },
    );
    // A run leaves its rows as they are, so a broken one is still found here.
    expect(await brokenInvariants()).toEqual({});
  },
);
