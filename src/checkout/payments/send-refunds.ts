import type { Database } from "../../platform/db/client.ts";
import { log } from "../../platform/http/log.ts";
import { workOff } from "../../platform/queues/work-off.ts";
import type { Settings } from "../../platform/settings/settings.ts";
import { RefundFailed } from "./faults.ts";
import { providerFor } from "./providers.ts";
import { findRefundsToSend, markRefundSent, returnRefund } from "./refund-queries.ts";

type QueuedRefund = Awaited<ReturnType<typeof findRefundsToSend>>[number];

/**
 * Asks the providers for the refunds that they have not accepted yet. One that fails is asked for again later, under the
 * same id, so that it is paid once.
 */
export const sendRefunds = (db: Database, settings: Settings, now: number): Promise<void> =>
  workOff(db, now, {
    queue: "send_refunds",
    find: () => findRefundsToSend(db, now),
    idOf: ({ refundId }) => refundId,
    run: (refund) => sendRefund(db, settings, refund),
  });

async function sendRefund(
  db: Database,
  settings: Settings,
  { payment, amount, currency, method, ...attempt }: QueuedRefund,
) {
  const provider = providerFor(settings, method);
  if (!provider) throw new Error(`the provider of ${method} is switched off`);
  const { refundId, orderNumber, failures } = attempt;
  // After a failure it is another request: under the same id the provider would repeat what it answered.
  const id = `refund-${orderNumber}-${refundId}${failures > 0 ? `-${failures}` : ""}`;
  try {
    const reference = await provider.refund({ ...attempt, id, reference: payment, amount, currency });
    await markRefundSent(db, attempt, reference, provider.name);
  } catch (error) {
    if (!(error instanceof RefundFailed)) throw error;
    log("error", { message: "a provider could not carry a refund out", refund: refundId, reason: error.message });
    const author = { actor: provider.name, address: null, requestId: "schedule", now: Date.now() };
    await returnRefund(db, author, attempt, error.message);
  }
}
