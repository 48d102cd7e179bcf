import * as z from "zod";
import { badRequest, fieldError } from "../../domain/errors.ts";
import { decodeUtf8 } from "../../platform/http/body-parsing.ts";
import type { PaypalAccount } from "../../platform/settings/payments.ts";
import { DECIMAL, fromDecimalText } from "./amounts.ts";
import { askPaypal, PaypalRefusal } from "./paypal-api.ts";
import { invalidSignature, isSentByPaypal, signatureOf } from "./paypal-signature.ts";
import { type DueOrder, type EventReading, type Payment, recordedIdOf } from "./provider.ts";

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

/** Where either kind of resource names the order; what was opened elsewhere with the same account names none of ours. */
const Named = z.object({
  custom_id: z.string().optional(),
  purchase_units: z.tuple([z.object({ custom_id: z.string().optional() })], z.unknown()).optional(),
});

/**
 * What a webhook of PayPal says, after PayPal itself has confirmed it. An approval is captured on the way. To ask PayPal costs
 * a call, and anybody can send an event: PayPal is asked only about one that names an order of ours, which nobody can guess,
 * and that was not handled before.
 */
export async function readPaypalEvent(
  account: PaypalAccount,
  request: Request,
  { findOrder, isHandled, limitForged }: EventReading,
): Promise<Payment | null> {
  const text = decodeUtf8(await request.arrayBuffer(), "invalid_json");
  const event = read(Event, parse(text));
  const signature = signatureOf(request.headers);
  const kind = kinds[event.event_type];
  if (!kind && event.event_type !== APPROVED) return null;
  const { data: named } = Named.safeParse(event.resource);
  const number = named?.custom_id ?? named?.purchase_units?.[0].custom_id;
  const order = number === undefined ? undefined : await findOrder(number);
  if (!order) return null;
  const payment = kind && toPayment(event, kind, read(Capture, event.resource), order);
  if (payment && (await isHandled(recordedIdOf(payment)))) return null;
  if (!(await limitForged(order.number, () => isSentByPaypal(account, signature, text)))) throw invalidSignature();
  return payment ?? capture(account, event, order);
}

const APPROVED = "CHECKOUT.ORDER.APPROVED";

const kinds: Record<string, Payment["kind"]> = {
  "PAYMENT.CAPTURE.COMPLETED": "paid",
  "PAYMENT.CAPTURE.DENIED": "failed",
  "PAYMENT.CAPTURE.DECLINED": "failed",
};

/** A capture that waits, for the buyer's bank or a look by PayPal, says by an event of its own how it ended. */
const outcomes: Record<string, Payment["kind"]> = { COMPLETED: "paid", DECLINED: "failed", FAILED: "failed" };

const toPayment = (
  event: Event,
  kind: Payment["kind"],
  { id, amount }: Pick<z.output<typeof Capture>, "id" | "amount">,
  order: DueOrder,
): Payment => ({ id: event.id, kind, order, reference: id, amount: amount.minor, currency: amount.currency });

async function capture(account: PaypalAccount, event: Event, order: DueOrder): Promise<Payment | null> {
  const approved = read(ApprovedOrder, event.resource);
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
