import { logFault } from "../http/log.ts";

/**
 * Stores what may be spent. Whatever the object sends after the call waits until it is stored, by the platform's output gate,
 * unless it was stored ahead of time: then `confirm` is called once it is.
 */
export function storeReservation(
  ctx: DurableObjectState,
  key: string,
  state: unknown,
  isAhead: boolean,
  confirm: () => void,
): void {
  if (!isAhead) {
    void ctx.storage.put(key, state);
    return;
  }
  void ctx.storage.put(key, state, { allowUnconfirmed: true });
  const confirmed = ctx.storage.sync().then(confirm);
  ctx.waitUntil(confirmed.catch((error: unknown) => logFault("a reservation was not stored", error)));
}
