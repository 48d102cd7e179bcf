import { type Handler, ok } from "./http.ts";

// Stripe Billing of API version 2026-10-28.endive: https://docs.stripe.com/api/subscriptions/object and
// https://docs.stripe.com/api/invoices/object. Invoices name their payments only if these are expanded.

/** A subscription with its paid invoices, oldest first. Tests decide what happened to it. Times are in seconds. */
export type Billed = {
  id: string;
  customer: string;
  metadata: Record<string, string>;
  status: string;
  cancel_at_period_end: boolean;
  canceled_at: number | null;
  ended_at: number | null;
  current_period_start: number;
  current_period_end: number;
  invoices: BilledInvoice[];
};

export type BilledInvoice = {
  id: string;
  amount_paid: number;
  currency: string;
  payment_intent: string | null;
  period_end: number;
};

const billed = new Map<string, Billed>();

export const shownSubscription = ({ current_period_start, current_period_end, invoices, ...shown }: Billed) => ({
  ...shown,
  object: "subscription",
  livemode: false,
  cancel_at: shown.cancel_at_period_end ? current_period_end : null,
  currency: invoices[0]?.currency ?? "usd",
  items: {
    object: "list",
    has_more: false,
    data: [{ object: "subscription_item", current_period_start, current_period_end }],
  },
});

export const shownInvoice = (
  { id, metadata }: Pick<Billed, "id" | "metadata">,
  { payment_intent, period_end, ...invoice }: BilledInvoice,
  expanded: boolean,
) => ({
  ...invoice,
  object: "invoice",
  livemode: false,
  status: "paid",
  // The usage period before: only the lines tell what was paid.
  period_end: period_end - 3_000_000,
  parent: { type: "subscription_details", quote_details: null, subscription_details: { subscription: id, metadata } },
  lines: { object: "list", has_more: false, data: [{ object: "line_item", period: { start: 1, end: period_end } }] },
  ...(expanded && {
    payments: {
      object: "list",
      has_more: false,
      data: payment_intent
        ? [{ object: "invoice_payment", status: "paid", payment: { type: "payment_intent", payment_intent } }]
        : [],
    },
  }),
});

const nowInSeconds = () => Math.floor(Date.now() / 1000);

const missing = ok({ error: { type: "invalid_request_error", code: "resource_missing" } }, 404);

const ofSubscription =
  (answer: (found: Billed, fields: URLSearchParams) => ReturnType<typeof ok>): Handler =>
  ({ headers: { authorization = "" }, body }, [id = ""]) => {
    const found = billed.get(id);
    if (!/^Bearer [rs]k_(test|live)_(?!wrong)/.test(authorization)) return ok({ error: {} }, 401);
    return found ? answer(found, new URLSearchParams(body)) : missing;
  };

export const billingHandlers: Record<string, Handler> = {
  "PUT /billed/([^/]+)": ({ body }, [id = ""]) => {
    const state: Billed | null = JSON.parse(body);
    if (state) billed.set(id, state);
    else billed.delete(id);
    return ok({});
  },
  "GET /billed/([^/]+)": (_, [id = ""]) => ok(billed.get(id) ?? null),
  "GET /v1/subscriptions/([^/]+)": ofSubscription((found) => ok(shownSubscription(found))),
  "POST /v1/subscriptions/([^/]+)": ofSubscription((found, fields) => {
    if (found.ended_at !== null) return ok({ error: { type: "invalid_request_error" } }, 400);
    found.cancel_at_period_end = fields.get("cancel_at_period_end") === "true";
    found.canceled_at = found.cancel_at_period_end ? nowInSeconds() : null;
    return ok(shownSubscription(found));
  }),
  // A subscription that has ended cannot be canceled again.
  "DELETE /v1/subscriptions/([^/]+)": ofSubscription((found) => {
    if (found.ended_at !== null) return missing;
    Object.assign(found, { status: "canceled", canceled_at: nowInSeconds(), ended_at: nowInSeconds() });
    return ok(shownSubscription(found));
  }),
  "GET /v1/invoices[?]subscription=([^&]+)&status=paid&limit=(\\d+)&expand\\[\\]=data.payments": (request, ids) =>
    ofSubscription((found) => {
      const newest = found.invoices.toReversed();
      const limit = Number(ids[1]);
      const data = newest.slice(0, limit).map((invoice) => shownInvoice(found, invoice, true));
      return ok({ object: "list", has_more: newest.length > limit, data });
    })(request, ids),
  "POST /v1/billing_portal/sessions": ({ body }) => {
    const customer = new URLSearchParams(body).get("customer");
    return ok({ object: "billing_portal.session", url: `https://billing.stripe.test/p/session/${customer}` });
  },
};
