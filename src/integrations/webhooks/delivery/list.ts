import type { EventType } from "../../../domain/event-types.ts";
import type { PageOf } from "../../../platform/db/page.ts";
import type { DeliveriesQuery } from "../admin-schemas.ts";
import type { ObjectSql } from "./object-sql.ts";
import type { DeliveryRow } from "./rows.ts";

/** A total ends here: nobody reads so many pages. */
const MOST_COUNTED = 10_000;

/** A page of deliveries, newest first; or from a cursor on, oldest first and without a total. */
export function listDeliveries(
  sql: ObjectSql,
  { state, after_id, page, per_page }: DeliveriesQuery,
  types: readonly EventType[],
): PageOf<DeliveryRow> {
  const byCursor = after_id !== undefined;
  const where = `${state ? "delivery_state = ?1" : "?1 IS NULL"} AND id > ?2 AND type IN (SELECT value FROM json_each(?3))`;
  const values = [state ?? null, after_id ?? 0, JSON.stringify(types)];
  const found = sql
    .rows<Omit<DeliveryRow, "attempts"> & { attempts: string }>(
      `SELECT id, event_id, type, subject, delivery_state AS state, due_at, created_at, (
          SELECT json_group_array(json_object('at', at, 'duration_ms', duration_ms, 'status', status, 'error', error,
            'answer', answer)) FROM (SELECT * FROM attempts WHERE delivery_id = deliveries.id ORDER BY id)) AS attempts
        FROM deliveries WHERE ${where} ORDER BY id ${byCursor ? "" : "DESC"} LIMIT ?4 OFFSET ?5`,
      ...values,
      per_page + 1,
      byCursor ? 0 : (page - 1) * per_page,
    )
    .map(({ attempts, ...row }): DeliveryRow => ({ ...row, attempts: JSON.parse(attempts) }));
  const rows = found.slice(0, per_page);
  if (byCursor) {
    const last = found.length > per_page ? rows.at(-1) : undefined;
    return { rows, totalItems: found.length, totalIsExact: !last, next: last ? { after_id: String(last.id) } : null };
  }
  const counted = `SELECT count(*) AS items FROM (SELECT 1 FROM deliveries WHERE ${where} LIMIT ?4)`;
  const items = sql.rows<{ items: number }>(counted, ...values, MOST_COUNTED)[0]?.items ?? 0;
  return { rows, totalItems: items, totalIsExact: items < MOST_COUNTED };
}
