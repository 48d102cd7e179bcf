import * as z from "zod";
import { badRequest, fieldError } from "../../domain/errors.ts";
import { log } from "../../platform/http/log.ts";
import { fromStripeAmount } from "./amounts.ts";
import type { FindOrder, Payment, PaymentEvent, RefundFailure } from "./provider.ts";
import { signedJson } from "./signature.ts";

const stripePayments: Record<string, Payment["kind"]> = {
  "checkout.session.completed": "paid",
  "checkout.session.async_payment_succeeded": "paid",
  "checkout.session.async_payment_failed": "failed",
};

const Event = z.object({ id: z.string(), type: z.string(), data: z.object({ object: z.unknown() }) });

/** A session opened here. The account may serve other shops, whose sessions name no order of ours. */
const OurSession = z.object({ metadata: z.object({ order_reference: z.string() }) });

const PaidSession = OurSession.extend({
  payment_status: z.string(),
  payment_intent: z.string(),
  amount_total: z.int(),
  currency: z.string().toUpperCase(),
});

const WholeText = z
  .string()
  .regex(/^\d{1,15}$/)
  .transform(Number);

/** A refund requested here. Its event returns the metadata that was sent with it. */
const OurRefund = z.object({
  metadata: z.object({ order_reference: z.string(), refund: WholeText, failures: WholeText }),
  failure_reason: z.string().nullish(),
});

/** Reads a Stripe event after verifying its signature. */
export async function readStripeEvent(request: Request, secret: string, find: FindOrder): Promise<PaymentEvent | null> {
  const { id, type, data } = read(
    Event,
    await signedJson(request, { name: "Stripe-Signature", sender: "Stripe", secrets: [secret] }),
  );
  if (type === "refund.failed") return toRefundFailure(id, data.object);
  const kind = stripePayments[type];
  if (!kind || !OurSession.safeParse(data.object).success) return null;
  const session = read(PaidSession, data.object);
  // With delayed payment methods, the session completes first, and the money arrives or fails days later.
  if (kind === "paid" && session.payment_status !== "paid") return null;
  const { payment_intent: reference, amount_total, currency, metadata } = session;
  const order = await find(metadata.order_reference);
  if (!order) log("error", { message: "a payment names no order", provider: "stripe", event: id });
  return order ? { id, kind, order, reference, amount: fromStripeAmount(amount_total, currency), currency } : null;
}

function toRefundFailure(id: string, refund: unknown): RefundFailure | null {
  const { data } = OurRefund.safeParse(refund);
  if (!data) return null;
  const { order_reference, refund: refundId, failures } = data.metadata;
  const reason = data.failure_reason ?? null;
  return { id, kind: "refund_failed", refundId, orderReference: order_reference, failures, reason };
}

function read<Shape>(schema: z.ZodType<Shape>, payload: unknown): Shape {
  const { success, data } = schema.safeParse(payload);
  if (!success) throw badRequest(fieldError("body", "invalid", "is not an event as Stripe sends it"));
  return data;
}
