import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { subscriptionPeriods, subscriptions } from "../../src/platform/db/schema.ts";
import {
  type Billed,
  type BilledInvoice,
  shownInvoice,
  shownSubscription,
} from "../payments/stand-in/stripe-billing.ts";
import { tellStripe } from "../payments/support/stripe.ts";
import { call } from "../support/call.ts";
import { LICENSE } from "../support/license-keys.ts";
import { aFile, aProduct, aUser, db, orderOf } from "../support/shop.ts";

type Secrets = Parameters<typeof tellStripe>[0];

const DAY = 24 * 60 * 60;
export const GRACE_MS = 3 * DAY * 1000;

/** A font that is paid each month, with a file and a license key. */
export const aRenewingFont = async (columns: Parameters<typeof aProduct>[0] = {}) =>
  aProduct({
    type: "digital",
    stock: null,
    price: 1999,
    renews: "month",
    license: LICENSE,
    fileIds: [(await aFile()).id],
    ...columns,
  });

let made = 0;

/** The whole second in a number of days, as Stripe has it. */
export const inDays = (days: number) => Math.floor(Date.now() / 1000) + Math.round(days * DAY);

export const anInvoice = (invoice: Partial<BilledInvoice> = {}): BilledInvoice => {
  const n = ++made;
  return {
    id: `in_${n}`,
    amount_paid: 1999,
    currency: "usd",
    payment_intent: `pi_renewal_${n}`,
    period_end: inDays(30),
    ...invoice,
  };
};

/** A subscription at Stripe that an order began, paid once. */
export const aSubscription = (order: { reference: string }, more: Partial<Billed> = {}): Billed => ({
  // Files of tests share the stand-in of Stripe.
  id: `sub_${crypto.randomUUID()}`,
  customer: `cus_${made}`,
  metadata: { order_reference: order.reference },
  status: "active",
  cancel_at_period_end: false,
  canceled_at: null,
  ended_at: null,
  current_period_start: inDays(0),
  current_period_end: inDays(30),
  invoices: [anInvoice()],
  ...more,
});

const at = (id: string) => `${env.STRIPE_API_URL}/billed/${id}`;

/** Makes this the state of the subscription at Stripe. */
export const bill = (billed: Billed) => fetch(at(billed.id), { method: "PUT", body: JSON.stringify(billed) });

/** Makes the subscription unknown to Stripe. */
export const forget = ({ id }: Billed) => fetch(at(id), { method: "PUT", body: "null" });

export const billedNow = async (id: string): Promise<Billed> => (await fetch(at(id))).json();

/** An event about a subscription. Those about invoices are of its newest one. */
export const billingEvent = (type: string, billed: Billed): string => {
  const invoice = billed.invoices.at(-1) ?? anInvoice();
  const object = type.startsWith("invoice.") ? shownInvoice(billed, invoice, false) : shownSubscription(billed);
  return JSON.stringify({ id: `evt_billing_${++made}`, object: "event", livemode: false, type, data: { object } });
};

/** Makes this the state of the subscription at Stripe, and sends an event about it. */
export async function tell(secrets: Secrets, type: string, billed: Billed) {
  await bill(billed);
  return tellStripe(secrets, { payload: billingEvent(type, billed) });
}

export const subscriptionNow = ({ id }: Billed) =>
  db.select().from(subscriptions).where(eq(subscriptions.reference, id)).get();

/** Orders of a subscription's paid periods, oldest first. */
export const ordersOf = async (billed: Billed): Promise<number[]> => {
  const rows = await db
    .select({ id: subscriptionPeriods.orderId })
    .from(subscriptionPeriods)
    .innerJoin(subscriptions, eq(subscriptions.id, subscriptionPeriods.subscriptionId))
    .where(eq(subscriptions.reference, billed.id))
    .orderBy(subscriptionPeriods.orderId);
  return rows.map(({ id }) => id);
};

/** A subscription that an order began, which has ended unless it is asked for otherwise. Stripe does not know it. */
export async function aStoredSubscription({ hasEnded = true } = {}) {
  const user = await aUser({ wallet: 10_000 });
  const product = await aProduct({ type: "digital", stock: null });
  const { body } = await call("POST /orders", { as: user.token, body: orderOf(product) });
  const row = { reference: `sub_${++made}_ended`, customer: "cus_ended", orderId: Number(body.data.id) };
  const at = Date.now();
  const times = { currentPeriodEnd: at, endedAt: hasEnded ? at : null, readAt: at, createdAt: at, updatedAt: at };
  const { id } = await db
    .insert(subscriptions)
    .values({ ...row, ...times })
    .returning()
    .get();
  return { id, user };
}
