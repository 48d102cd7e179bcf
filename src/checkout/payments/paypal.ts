import * as z from "zod";
import { badRequest, fieldError, tooManyRequests } from "../../domain/errors.ts";
import { beginningOf } from "../../domain/text.ts";
import { decodeUtf8 } from "../../platform/http/body-parsing.ts";
import { log } from "../../platform/http/log.ts";
import type { PaypalAccount } from "../../platform/settings/payments.ts";
import { isLive } from "./accounts.ts";
import { DECIMAL, fromDecimalText, toPaypalAmount } from "./amounts.ts";
import { askPaypal, PaypalRefusal } from "./paypal-api.ts";
import {
  type DueOrder,
  type EventReading,
  type PayableOrder,
  type Payment,
  type PaymentProvider,
  RefundFailed,
  type ReturnUrl,
  recordedIdOf,
} from "./provider.ts";
import { requiredJson } from "./signature.ts";

const OrderResponse = z.object({ id: z.string(), links: z.array(z.object({ rel: z.string(), href: z.url() })) });

const PaypalRefund = z.object({ id: z.string(), status: z.string() });

/** Issues of refunds that PayPal never accepts, each on its page below https://developer.paypal.com/api/payments/v2/errors */
const REFUSED_FOR_GOOD = ["CAPTURE_FULLY_REFUNDED", "MAX_NUMBER_OF_REFUNDS_EXCEEDED", "REFUND_TIME_LIMIT_EXCEEDED"];

/** Payments with PayPal's Orders API: the buyer approves on PayPal's page, and the resulting webhook captures the payment. */
export const paypal = (account: PaypalAccount, returnUrl: ReturnUrl): PaymentProvider => ({
  name: "paypal",
  isTest: !isLive(account),

  async open(order) {
    const { id, links } = await askPaypal(account, "/v2/checkout/orders", OrderResponse, {
      requestId: order.requestId,
      body: JSON.stringify(orderFor(order, returnUrl(order.reference))),
    });
    const link = links.find(({ rel }) => rel === "payer-action" || rel === "approve");
    if (!link) throw new Error("PayPal opened an order without an address to pay at");
    return { provider: "paypal", reference: id, url: link.href };
  },

  readEvent: (request, reading) => readPaypalEvent(account, request, reading),

  // PayPal has no call to close an order. An unapproved order expires by itself, and late money is refunded.
  async close() {},

  async refund({ id, reference, amount, currency }) {
    const path = `/v2/payments/captures/${encodeURIComponent(reference)}/refund`;
    const body = JSON.stringify({ amount: toPaypalAmount(amount, currency) });
    const refund = await askPaypal(account, path, PaypalRefund, { requestId: id, body }).catch((error: unknown) => {
      const issue = REFUSED_FOR_GOOD.find((name) => refusedFor(error, name));
      throw issue === undefined ? error : new RefundFailed(issue);
    });
    if (refund.status === "FAILED" || refund.status === "CANCELLED")
      throw new RefundFailed(refund.status.toLowerCase());
    return refund.id;
  },
});

function orderFor(order: PayableOrder, back: string) {
  const { reference } = order;
  return {
    intent: "CAPTURE",
    purchase_units: [{ reference_id: reference, custom_id: reference, invoice_id: reference, ...amountsOf(order) }],
    payment_source: {
      paypal: {
        experience_context: {
          user_action: "PAY_NOW",
          // The order already has its address, so PayPal should not ask for one.
          shipping_preference: "NO_SHIPPING",
          return_url: back,
          cancel_url: back,
        },
      },
    },
  };
}

/** Longest name that PayPal accepts. */
const MAX_NAME = 127;

/** Returns the total, broken down into its parts and lines. */
function amountsOf({ total, currency, lines, shipping, shippingDiscount, taxAdded }: PayableOrder) {
  const amount = (minor: number) => toPaypalAmount(minor, currency);
  const [items, discounts] = [
    lines.reduce((sum, { quantity, unitPrice }) => sum + quantity * unitPrice, 0),
    lines.reduce((sum, { discount }) => sum + discount, shippingDiscount),
  ];
  return {
    amount: {
      ...amount(total),
      breakdown: {
        item_total: amount(items),
        shipping: amount(shipping),
        tax_total: amount(taxAdded),
        discount: amount(discounts),
      },
    },
    items: lines.map(({ name, quantity, unitPrice }) => ({
      name: beginningOf(name, MAX_NAME),
      quantity: String(quantity),
      unit_amount: amount(unitPrice),
    })),
  };
}

const Event = z.object({ id: z.string(), event_type: z.string(), resource: z.unknown() });
type Event = z.output<typeof Event>;

const Amount = z
  .object({ currency_code: z.string(), value: z.string().regex(DECIMAL) })
  .transform(({ currency_code, value }) => ({ currency: currency_code, minor: fromDecimalText(value, currency_code) }));

const Capture = z.object({ id: z.string(), amount: Amount });

const ApprovedOrder = z.object({
  id: z.string(),
  purchase_units: z.tuple([z.object({ amount: Amount })], z.unknown()),
});

const CapturedOrder = z.object({
  purchase_units: z.tuple([
    z.object({ payments: z.object({ captures: z.array(Capture.extend({ status: z.string() })) }) }),
  ]),
});

/** Where each kind of resource names its order. Payments opened elsewhere with this account do not name our orders. */
const PaymentResource = z.object({
  custom_id: z.string().optional(),
  purchase_units: z.tuple([z.object({ custom_id: z.string().optional() })], z.unknown()).optional(),
});

/**
 * Reads a PayPal webhook event, after PayPal itself has confirmed it, and captures an approved payment if it can pay its order. Confirming costs a
 * call and anybody can send events, so PayPal is only asked about unhandled events that name one of our order references, which
 * cannot be guessed.
 */
async function readPaypalEvent(
  account: PaypalAccount,
  request: Request,
  { findOrder, isHandled, isPayable, limitForged }: EventReading,
): Promise<Payment | null> {
  const text = decodeUtf8(await request.arrayBuffer(), "invalid_json");
  const event = read(Event, requiredJson(text));
  const signature = signatureOf(request.headers);
  const kind = paypalPayments[event.event_type];
  if (!kind && event.event_type !== APPROVED) return null;
  const { data: named } = PaymentResource.safeParse(event.resource);
  const reference = named?.custom_id ?? named?.purchase_units?.[0].custom_id;
  const order = reference === undefined ? undefined : await findOrder(reference);
  if (!order) return null;
  const payment = kind && toPayment(event, kind, read(Capture, event.resource), order);
  if (payment && (await isHandled(recordedIdOf(payment)))) return null;
  if (!(await limitForged(order.reference, () => isSentByPaypal(account, signature, text)))) throw invalidSignature();
  if (payment) return payment;
  const approved = read(ApprovedOrder, event.resource);
  // An approval only authorizes the shop to charge. An order that is not completed expires, by default after three hours
  // (https://github.com/paypal/Checkout-PHP-SDK/issues/84), or six (https://github.com/paypal/PayPal-Dotnet-Server-SDK/pull/6).
  if (await isPayable(order, approved.purchase_units[0].amount)) return capture(account, event, { order, approved });
  log("info", { message: "an approved payment was not captured", provider: "paypal", event: event.id });
  return null;
}

const APPROVED = "CHECKOUT.ORDER.APPROVED";

const paypalPayments: Record<string, Payment["kind"]> = {
  "PAYMENT.CAPTURE.COMPLETED": "paid",
  "PAYMENT.CAPTURE.DENIED": "failed",
  "PAYMENT.CAPTURE.DECLINED": "failed",
};

/** Types of events that are read here: https://developer.paypal.com/api/rest/webhooks/event-names */
export const paypalEvents = [APPROVED, ...Object.keys(paypalPayments)];

/** A capture that waits for the buyer's bank or a review by PayPal reports its outcome in a separate event. */
const outcomes: Record<string, Payment["kind"]> = { COMPLETED: "paid", DECLINED: "failed", FAILED: "failed" };

const toPayment = (
  event: Event,
  kind: Payment["kind"],
  { id, amount }: Pick<z.output<typeof Capture>, "id" | "amount">,
  order: DueOrder,
): Payment => ({ id: event.id, kind, order, reference: id, amount: amount.minor, currency: amount.currency });

async function capture(
  account: PaypalAccount,
  event: Event,
  { order, approved }: { order: DueOrder; approved: z.output<typeof ApprovedOrder> },
): Promise<Payment | null> {
  const [unit] = approved.purchase_units;
  try {
    const { purchase_units } = await captured(account, approved.id, event);
    const { captures } = purchase_units[0].payments;
    const last = captures.find(({ status }) => status === "COMPLETED") ?? captures.at(-1);
    const kind = last && outcomes[last.status];
    return kind ? toPayment(event, kind, last, order) : null;
  } catch (error) {
    if (!refusedFor(error, "INSTRUMENT_DECLINED")) throw error;
    return toPayment(event, "failed", { ...unit, id: approved.id }, order);
  }
}

/** Captures the order's payment. PayPal captures once and refers later callers to the existing capture. */
async function captured(account: PaypalAccount, id: string, event: Event) {
  const path = `/v2/checkout/orders/${encodeURIComponent(id)}`;
  try {
    // A buyer whose card was declined approves again with another one. The new event needs a new request id.
    const requestId = `capture-${id}-${event.id}`;
    return await askPaypal(account, `${path}/capture`, CapturedOrder, { requestId, body: "{}" });
  } catch (error) {
    if (!refusedFor(error, "ORDER_ALREADY_CAPTURED")) throw error;
    return await askPaypal(account, path, CapturedOrder, {});
  }
}

const refusedFor = (error: unknown, issue: string): boolean =>
  error instanceof PaypalRefusal && error.issues.includes(issue);

function read<Shape>(schema: z.ZodType<Shape>, payload: unknown): Shape {
  const { success, data } = schema.safeParse(payload);
  if (!success) throw badRequest(fieldError("body", "invalid", "is not an event as PayPal sends it"));
  return data;
}

const signatureHeaders = {
  auth_algo: "paypal-auth-algo",
  cert_url: "paypal-cert-url",
  transmission_id: "paypal-transmission-id",
  transmission_sig: "paypal-transmission-sig",
  transmission_time: "paypal-transmission-time",
};

const Verification = z.object({ verification_status: z.string() });

type Signature = Record<string, string | null>;

/** Reads the event's signature without verifying it. Throws a 400 if a part is missing. */
function signatureOf(headers: Headers): Signature {
  const named = Object.entries(signatureHeaders);
  const missing = named.map(([, header]) => header).filter((header) => !headers.get(header));
  if (missing.length > 0) {
    throw badRequest(missing.map((header) => fieldError(header, "required", "is required")));
  }
  return Object.fromEntries(named.map(([field, header]) => [field, headers.get(header)]));
}

/** Concurrent verifications per isolate. PayPal throttles callers that ask too often, even about real payments. */
const MOST_AT_ONCE = 20;

/** Longer than any verification takes. An aborted request never reports that its verification ended. */
const LONGEST_MS = 60_000;

/** Start times of the verifications in progress in this isolate. */
const underWay = new Map<symbol, number>();

/** Asks PayPal whether it sent this event. `text` is the body, known to be JSON. */
async function isSentByPaypal(account: PaypalAccount, signature: Signature, text: string): Promise<boolean> {
  const now = Date.now();
  for (const [each, since] of underWay) if (now - since > LONGEST_MS) underWay.delete(each);
  if (underWay.size >= MOST_AT_ONCE) throw tooManyRequests(1);
  const own = Symbol();
  underWay.set(own, now);
  try {
    const fields = JSON.stringify({ ...signature, webhook_id: account.webhookId });
    // The event is forwarded byte for byte. Reserializing would turn 1.0 into 1 and invalidate the signature.
    const body = `${fields.slice(0, -1)},"webhook_event":${text}}`;
    return (await verificationOf(account, body)) === "SUCCESS";
  } finally {
    underWay.delete(own);
  }
}

const invalidSignature = () =>
  badRequest(fieldError("paypal-transmission-sig", "invalid_signature", "must be PayPal's signature of this body"));

/** PayPal either reports a wrong signature or rejects a malformed one. */
async function verificationOf(account: PaypalAccount, body: string): Promise<string> {
  try {
    const path = "/v1/notifications/verify-webhook-signature";
    return (await askPaypal(account, path, Verification, { body })).verification_status;
  } catch (error) {
    if (error instanceof PaypalRefusal && (error.status === 400 || error.status === 422)) return "MALFORMED";
    throw error;
  }
}
