import * as z from "zod";
import type { StripeAccount } from "../../platform/settings/payments.ts";
import { fromStripeAmount } from "./amounts.ts";
import type { PaidInvoice, PaymentProvider, ReturnUrl } from "./provider.ts";
import { askStripe, StripeRefused } from "./stripe-api.ts";

// Stripe Billing: https://docs.stripe.com/billing/subscriptions/webhooks. Since 2025-03-31.basil, invoices name their
// subscription in `parent` and their payments in `payments`, and items have the periods of a subscription:
// https://docs.stripe.com/changelog/basil

const SUBSCRIPTIONS = "/v1/subscriptions";
const pathOf = (reference: string) => `${SUBSCRIPTIONS}/${encodeURIComponent(reference)}`;

/** Types of events about subscriptions, with the schema of their subscription. Only those that name an order are read. */
const Ours = z.object({ order_reference: z.string() });
const OfInvoice = z
  .object({ parent: z.object({ subscription_details: z.object({ subscription: z.string(), metadata: Ours }) }) })
  .transform(({ parent }) => parent.subscription_details.subscription);
const OfSubscription = z.object({ id: z.string(), metadata: Ours }).transform(({ id }) => id);
const OfSession = z
  .object({ mode: z.literal("subscription"), subscription: z.string(), metadata: Ours })
  .transform(({ subscription }) => subscription);

const sources: Record<string, z.ZodType<string>> = {
  "invoice.paid": OfInvoice,
  "invoice.payment_failed": OfInvoice,
  "customer.subscription.updated": OfSubscription,
  "customer.subscription.deleted": OfSubscription,
};

export const subscriptionEvents = Object.keys(sources);

/** The subscription that an event is about. Undefined for other events, and for subscriptions that the shop did not open. */
export const subscriptionOf = (type: string, object: unknown): string | undefined =>
  (sources[type] ?? OfSession).safeParse(object).data;

/** Seconds since 1970, which Stripe counts in. */
const Moment = z.int().transform((seconds) => seconds * 1000);

const Subscription = z.object({
  id: z.string(),
  customer: z.string(),
  status: z.string(),
  cancel_at: Moment.nullable(),
  canceled_at: Moment.nullable(),
  cancel_at_period_end: z.boolean(),
  ended_at: Moment.nullable(),
  metadata: z.object({ order_reference: z.string().optional() }),
  items: z.object({ data: z.array(z.object({ current_period_start: Moment, current_period_end: Moment })).min(1) }),
});

/** Invoices that are read at once: those of a year of months. Older ones were read before. */
const INVOICES = 12;

const Invoices = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      amount_paid: z.int(),
      currency: z.string().toUpperCase(),
      lines: z.object({ data: z.array(z.object({ period: z.object({ end: Moment }) })).min(1) }),
      payments: z.object({
        data: z.array(z.object({ status: z.string(), payment: z.object({ payment_intent: z.string().optional() }) })),
      }),
    }),
  ),
});

type StripeInvoice = z.output<typeof Invoices>["data"][number];

const toPaidInvoice = ({ id, amount_paid, currency, lines, payments }: StripeInvoice): PaidInvoice => ({
  id,
  payment: payments.data.find(({ status }) => status === "paid")?.payment.payment_intent ?? null,
  amount: fromStripeAmount(amount_paid, currency),
  currency,
  periodEnd: Math.max(...lines.data.map(({ period }) => period.end)),
});

export const stripeSubscriptions = (
  account: StripeAccount,
  returnUrl: ReturnUrl,
): NonNullable<PaymentProvider["subscriptions"]> => ({
  async find(reference) {
    const reading = { ...account, method: "GET" as const };
    const found = await askStripe(reading, pathOf(reference), {}, "", Subscription).catch(ignoreMissing);
    if (!found?.metadata.order_reference) return undefined;
    const query = `subscription=${found.id}&status=paid&limit=${INVOICES}&expand[]=data.payments`;
    const { data } = await askStripe(reading, `/v1/invoices?${query}`, {}, "", Invoices);
    const currentPeriodEnd = Math.min(...found.items.data.map(({ current_period_end: end }) => end));
    return {
      reference: found.id,
      orderReference: found.metadata.order_reference,
      customer: found.customer,
      pastDue: found.status === "past_due" || found.status === "unpaid",
      cancelsAt: found.cancel_at ?? (found.cancel_at_period_end ? currentPeriodEnd : null),
      cancelledAt: found.canceled_at,
      endedAt: found.ended_at,
      currentPeriodStart: Math.min(...found.items.data.map(({ current_period_start: start }) => start)),
      currentPeriodEnd,
      invoices: data.map(toPaidInvoice).reverse(),
    };
  },

  async cancelAtPeriodEnd(reference, cancels) {
    const change = { cancel_at_period_end: String(cancels) };
    await askStripe(account, pathOf(reference), change, crypto.randomUUID(), z.unknown()).catch(ignoreMissing);
  },

  async openPortal({ customer, orderReference, onlyCard }) {
    const backTo = returnUrl(orderReference);
    const session = { customer, return_url: backTo, ...(onlyCard && toCardOnly(backTo)) };
    const Session = z.object({ url: z.url() });
    return (await askStripe(account, "/v1/billing_portal/sessions", session, crypto.randomUUID(), Session)).url;
  },
});

/** Hides the rest of the page: https://docs.stripe.com/customer-management/portal-deep-links */
const toCardOnly = (backTo: string) => ({
  "flow_data[type]": "payment_method_update",
  "flow_data[after_completion][type]": "redirect",
  "flow_data[after_completion][redirect][return_url]": backTo,
});

export const isSubscription = (reference: string): boolean => reference.startsWith("sub_");

/** Ends a subscription at once. Succeeds if it does not exist or has ended. */
export const endSubscription = async (account: StripeAccount, reference: string): Promise<void> => {
  await askStripe({ ...account, method: "DELETE" }, pathOf(reference), {}, "", z.unknown()).catch(ignoreMissing);
};

function ignoreMissing(error: unknown): undefined {
  if (!(error instanceof StripeRefused) || error.status !== 404) throw error;
}
