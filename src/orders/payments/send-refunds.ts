import type { Database } from "../../db/client.ts";
import { logFault } from "../../http/log.ts";
import type { Settings } from "../../settings.ts";
import { providerFor } from "./providers.ts";
import { findRefundsToSend, markRefundSent, markRefundTried } from "./refund-queries.ts";

/**
 * Asks the providers for the refunds that they have not accepted yet. One that fails is asked for again by the next run,
 * under the same id, so that it is paid once.
 */
export async function sendRefunds(db: Database, settings: Settings): Promise<void> {
  for (const { id, orderNumber, payment, amount, currency, method } of await findRefundsToSend(db)) {
    try {
      const provider = providerFor(settings, method);
      if (!provider) throw new Error(`the provider of ${method} is switched off`);
      const reference = await provider.refund({
        id: `refund-${orderNumber}-${id}`,
        reference: payment,
        amount,
        currency,
      });
      await markRefundSent(db, id, reference);
    } catch (error) {
      logFault("a refund was not sent: it is tried again in a minute", error, { refund: id });
      await markRefundTried(db, id, Date.now());
    }
  }
}
