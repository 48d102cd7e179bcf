import type { EventType } from "../../../domain/event-types.ts";
import type { DeliveryStore } from "./store.ts";

/** Ends what waits of other types: the address may have come to be that of somebody who may not read them. */
export function dropUnsubscribed(store: DeliveryStore, types: readonly EventType[], now: number): void {
  store.sql.atomically(() => {
    const dropped = store.sql.rows<{ subject: string }>(
      `UPDATE deliveries SET delivery_state = 'failed', due_at = NULL, planned_at = NULL
        WHERE delivery_state = 'pending' AND type NOT IN (SELECT value FROM json_each(?)) RETURNING subject`,
      JSON.stringify(types),
    );
    for (const { subject } of dropped) store.release(subject, now);
  });
}
