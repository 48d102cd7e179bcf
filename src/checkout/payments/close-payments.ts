import { ApiError } from "../../domain/errors.ts";
import type { Database } from "../../platform/db/client.ts";
import { logFault } from "../../platform/http/log.ts";
import type { Settings } from "../../platform/settings/settings.ts";
import { deletePaymentToClose, findPaymentsToClose } from "./close-queries.ts";
import { providers } from "./providers.ts";

/** Pages live half an hour at the provider: then there is nothing left to close. */
const OPEN_MS = 60 * 60 * 1000;

/**
 * Closes the pages of orders that nobody is to pay any more. Where the provider is out of reach the next run tries again; one
 * that refuses has been paid already, or has expired, and money that came goes back.
 */
export async function closePayments(db: Database, settings: Settings): Promise<void> {
  const known = providers(settings);
  for (const payment of await findPaymentsToClose(db)) {
    const { provider, reference, createdAt } = payment;
    try {
      await known[provider]?.close(reference);
    } catch (error) {
      const isOutOfReach = error instanceof ApiError;
      logFault("a payment was not closed", error, { payment: reference });
      if (isOutOfReach && createdAt > Date.now() - OPEN_MS) continue;
    }
    await deletePaymentToClose(db, payment);
  }
}
