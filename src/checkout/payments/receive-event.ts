import type { WriteContext } from "../../platform/auth/write-context.ts";
import { findDueOrder, handlePaymentEvent, isHandled } from "./handle-event.ts";
import type { EventReading, PaymentProvider } from "./provider.ts";

/** "nothing" means that the event is not about an order's payment. */
export type EventOutcome = Awaited<ReturnType<typeof handlePaymentEvent>> | "nothing";

type Received = { provider: PaymentProvider; request: Request; limitForged: EventReading["limitForged"] };

/** Verifies a provider's webhook and handles its event. */
export async function receiveEvent(
  { db, requestId }: Pick<WriteContext, "db"> & { requestId: string },
  { provider, request, limitForged }: Received,
): Promise<EventOutcome> {
  const { name } = provider;
  const event = await provider.readEvent(request, {
    findOrder: (number) => findDueOrder(db, number),
    isHandled: (id) => isHandled(db, name, id),
    limitForged,
  });
  if (!event) return "nothing";
  const author = { actor: name, address: null, requestId, now: Date.now() };
  return handlePaymentEvent({ db, author }, { ...event, provider: name });
}
