import * as z from "zod";
import { badRequest, fieldError } from "../../errors.ts";
import type { PaypalAccount } from "../../settings.ts";
import { DECIMAL, fromDecimalText } from "./amounts.ts";
import { askPaypal, PaypalRefusal } from "./paypal-api.ts";
import { verifyPaypalSignature } from "./paypal-signature.ts";
import type { PaymentEvent } from "./provider.ts";

const Event = z.object({ id: z.string(), event_type: z.string(), resource: z.unknown() });
type Event = z.output<typeof Event>;

const Amount = z.object({ currency_code: z.string(), value: z.string().regex(DECIMAL).transform(fromDecimalText) });

/** `custom_id` is the order's number; what was opened elsewhere with the same account has none. */
const Capture = z.object({ id: z.string(), amount: Amount, custom_id: z.string().optional() });

const ApprovedOrder = z.object({
  id: z.string(),
  purchase_units: z.tuple([z.object({ custom_id: z.string().optional(), amount: Amount })], z.unknown()),
});

const CapturedOrder = z.object({
  purchase_units: z.tuple([
    z.object({ payments: z.object({ captures: z.array(Capture.extend({ status: z.string() })) }) }),
  ]),
});

/** What a webhook of PayPal says, after PayPal itself has confirmed it. An approval is captured on the way. */
export async function readPaypalEvent(account: PaypalAccount, request: Request): Promise<PaymentEvent | null> {
  const text = await request.text();
  const event = read(Event, parse(text));
  await verifyPaypalSignature(account, request.headers, text);
  if (event.event_type === "CHECKOUT.ORDER.APPROVED") return capture(account, event);
  const kind = kinds[event.event_type];
  return kind ? toPaymentEvent(event, kind, read(Capture, event.resource)) : null;
}

const kinds: Record<string, PaymentEvent["kind"]> = {
  "PAYMENT.CAPTURE.COMPLETED": "paid",
  "PAYMENT.CAPTURE.DENIED": "failed",
  "PAYMENT.CAPTURE.DECLINED": "failed",
};

/** A capture that waits, for the buyer's bank or a look by PayPal, says by an event of its own how it ended. */
const outcomes: Record<string, PaymentEvent["kind"]> = { COMPLETED: "paid", DECLINED: "failed", FAILED: "failed" };

function toPaymentEvent(
  event: Event,
  kind: PaymentEvent["kind"],
  { id, amount, custom_id }: z.output<typeof Capture>,
): PaymentEvent | null {
  if (custom_id === undefined) return null;
  return {
    id: event.id,
    kind,
    orderNumber: custom_id,
    reference: id,
    amount: amount.value,
    currency: amount.currency_code,
  };
}

async function capture(account: PaypalAccount, event: Event): Promise<PaymentEvent | null> {
  const approved = read(ApprovedOrder, event.resource);
  const [unit] = approved.purchase_units;
  if (unit.custom_id === undefined) return null;
  try {
    const { purchase_units } = await captured(account, approved.id, event);
    const { captures } = purchase_units[0].payments;
    const last = captures.find(({ status }) => status === "COMPLETED") ?? captures.at(-1);
    const kind = last && outcomes[last.status];
    return kind ? toPaymentEvent(event, kind, { ...last, custom_id: unit.custom_id }) : null;
  } catch (error) {
    if (!refusedFor(error, "INSTRUMENT_DECLINED")) throw error;
    return toPaymentEvent(event, "failed", { ...unit, id: approved.id });
  }
}

/** The order with its money taken; PayPal takes it once, and tells who comes later to read what is there. */
async function captured(account: PaypalAccount, id: string, event: Event) {
  const path = `/v2/checkout/orders/${encodeURIComponent(id)}`;
  try {
    // A buyer whose card was declined approves again with another: that is a new event, and has to be a new request.
    const requestId = `capture-${id}-${event.id}`;
    return await askPaypal(account, `${path}/capture`, CapturedOrder, { requestId, body: "{}" });
  } catch (error) {
    if (!refusedFor(error, "ORDER_ALREADY_CAPTURED")) throw error;
    return await askPaypal(account, path, CapturedOrder, {});
  }
}

const refusedFor = (error: unknown, issue: string): boolean =>
  error instanceof PaypalRefusal && error.issues.includes(issue);

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw badRequest(fieldError("body", "invalid_json", "must be JSON"));
  }
}

function read<Shape>(schema: z.ZodType<Shape>, payload: unknown): Shape {
  const { success, data } = schema.safeParse(payload);
  if (!success) throw badRequest(fieldError("body", "invalid", "is not an event as PayPal sends it"));
  return data;
}
