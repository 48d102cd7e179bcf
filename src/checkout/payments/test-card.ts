import { hkdfSync } from "node:crypto";
import { and, eq, lt } from "drizzle-orm";
import * as z from "zod";
import { badRequest, fieldError } from "../../domain/errors.ts";
import { DAY_MS } from "../../domain/time.ts";
import type { WriteContext } from "../../platform/auth/caller.ts";
import { randomToken } from "../../platform/auth/secrets.ts";
import { testPayments } from "../../platform/db/schema.ts";
import { log } from "../../platform/http/log.ts";
import type { Secrets, Settings } from "../../platform/settings/settings.ts";
import { type FindOrder, type PaymentEvent, type PaymentProvider, RefundFailed } from "./provider.ts";
import { signatureHeader, signedJson } from "./signature.ts";

/** The context of a request or of the schedule. */
export type TestCardContext = Pick<WriteContext, "db"> & {
  settings: Pick<Settings, "linkSecrets" | "test" | "sandbox">;
};

/** Path of the payment page, without the payment's reference. */
export const TEST_PAYMENT_PAGE = "/account/test-payments";

/** Time after which a test payment is deleted. */
const KEPT_MS = 90 * DAY_MS;

/**
 * Payments that move no money. The provider stores its own data in `test_payments`, and the shop learns of a payment
 * only by a signed event, as from any other provider.
 */
export const testCard = ({ db, settings }: TestCardContext, baseUrl: string): PaymentProvider => ({
  name: "test",

  async open({ reference: orderReference, total, currency, expiresAt }) {
    const reference = randomToken("tp_");
    const payment = { reference, orderReference, amount: total, currency, state: "open", expiresAt } as const;
    const createdAt = Date.now();
    await db.batch([
      db.delete(testPayments).where(lt(testPayments.createdAt, createdAt - KEPT_MS)),
      db.insert(testPayments).values({ ...payment, createdAt }),
    ]);
    return { provider: "test", reference, url: `${baseUrl}${TEST_PAYMENT_PAGE}/${reference}` };
  },

  readEvent: (request, { findOrder }) => readTestEvent(request, settings.linkSecrets, findOrder),

  async close(reference) {
    await db.update(testPayments).set({ state: "closed" }).where(canBePaid(reference));
  },

  async refund({ id, reference, amount, currency }) {
    const payment = await db.select().from(testPayments).where(eq(testPayments.reference, reference)).get();
    // A deleted test payment moved no money either.
    if (!payment) return `test-${id}`;
    if (payment.state !== "paid" || payment.currency !== currency || payment.amount < amount) {
      throw new Error(`the test provider has no payment ${reference} of this amount`);
    }
    if (payment.failsRefunds) throw new RefundFailed("The buyer chose to make refunds fail");
    return `test-${id}`;
  },
});

/** The condition of a payment that can still be paid or closed. */
export const canBePaid = (reference: string) =>
  and(eq(testPayments.reference, reference), eq(testPayments.state, "open"));

const SIGNATURE = "Test-Signature";

/** Keys derived for this purpose, so that no other signature of the deployment is valid here. The newest signs. */
const keysOf = (secrets: Secrets): string[] =>
  secrets.map((secret) => Buffer.from(hkdfSync("sha256", secret, "", "event of a test payment", 32)).toString("hex"));

const TestEvent = z.object({
  id: z.string(),
  type: z.enum(["paid", "failed"]),
  payment: z.string(),
  order_reference: z.string(),
  amount: z.int(),
  currency: z.string(),
});
export type TestEvent = z.output<typeof TestEvent>;

/** The webhook request that notifies the shop of an event. */
export function testEventRequest(event: TestEvent, secrets: Secrets, baseUrl: string): Request {
  const body = JSON.stringify(event);
  const [newest = ""] = keysOf(secrets);
  const headers = { "Content-Type": "application/json", [SIGNATURE]: signatureHeader(body, newest, Date.now()) };
  return new Request(`${baseUrl}/api/v1/webhooks/test`, { method: "POST", headers, body });
}

async function readTestEvent(request: Request, secrets: Secrets, find: FindOrder): Promise<PaymentEvent | null> {
  const sent = await signedJson(request, { name: SIGNATURE, sender: "the test provider", secrets: keysOf(secrets) });
  const { success, data } = TestEvent.safeParse(sent);
  if (!success) throw badRequest(fieldError("body", "invalid", "is not an event as the test provider sends it"));
  const { id, type: kind, payment: reference, amount, currency } = data;
  const order = await find(data.order_reference);
  if (!order) log("error", { message: "a payment names no order", provider: "test", event: id });
  return order ? { id, kind, order, reference, amount, currency } : null;
}
