import { GIVE_UP_MS, LAST_DELAY, MINUTE, nextAttemptAt, OUTAGE_MS } from "../schedule.ts";
import type { Attempt } from "./rows.ts";
import type { DeliveryStore, ObjectSql } from "./store.ts";

/** Effect of an attempt on the endpoint as a whole. */
type Verdict = "go on" | "pause";

/** Records an attempt and applies its consequences. `random` is from 0 to 1. */
export const recordAttempt = (
  store: DeliveryStore,
  deliveryId: number,
  attempt: Attempt,
  now: number,
  random: number,
): Verdict =>
  store.sql.atomically(() => {
    store.sql.run(
      "INSERT INTO attempts (delivery_id, at, duration_ms, status, error, answer) VALUES (?, ?, ?, ?, ?, ?)",
      deliveryId,
      attempt.at,
      attempt.durationMs,
      attempt.status,
      attempt.error,
      attempt.answer,
    );
    if (attempt.error !== null) return recordFailure(store, deliveryId, attempt, now, random);
    settle(store, deliveryId, "succeeded", now);
    recordSuccess(store, now);
    return "go on";
  });

function recordSuccess({ sql, state }: DeliveryStore, now: number): void {
  const { failing_since: since, succeeded_at: last } = state ?? {};
  // Precise to the minute, which saves a write per delivery.
  if (since !== null || now - (last ?? 0) >= MINUTE) {
    sql.run("UPDATE state SET failing_since = NULL, succeeded_at = ?", now);
  }
  if (now - (since ?? now) >= OUTAGE_MS) skipBackoff(sql, now);
}

/** Makes all waiting deliveries due after an outage. Those that fail again keep their planned attempt and skip no other. */
const skipBackoff = (sql: ObjectSql, now: number): void =>
  sql.run("UPDATE deliveries SET planned_at = due_at, due_at = ?1 WHERE due_at > ?1 AND planned_at IS NULL", now);

function recordFailure(
  store: DeliveryStore,
  id: number,
  { at, retryAfter }: Attempt,
  now: number,
  random: number,
): Verdict {
  const { sql } = store;
  sql.run("UPDATE state SET failing_since = min(coalesce(failing_since, ?1), ?1)", at);
  const since = store.state?.failing_since ?? now;
  const [delivery] = sql.rows<{ failures: number; planned_at: number | null; others_arrive: number | null }>(
    `SELECT failures, planned_at, (SELECT succeeded_at FROM state) >
        (SELECT min(at) FROM attempts WHERE delivery_id = deliveries.id) AS others_arrive
      FROM deliveries WHERE id = ? AND delivery_state = 'pending'`,
    id,
  );
  if (!delivery) return "go on";
  if (delivery.planned_at !== null && delivery.planned_at > now) {
    sql.run("UPDATE deliveries SET due_at = planned_at WHERE id = ?", id);
  } else {
    const failures = delivery.failures + 1;
    // While nothing at all arrives, deliveries are not given up. The endpoint eventually is.
    const last = delivery.others_arrive ? null : now + LAST_DELAY;
    const next = nextAttemptAt(failures, retryAfter, now, random) ?? last;
    sql.run("UPDATE deliveries SET failures = ?, due_at = ?, planned_at = NULL WHERE id = ?", failures, next, id);
    if (next === null) settle(store, id, "failed", now);
  }
  return now - since >= GIVE_UP_MS ? "pause" : "go on";
}

/** Ends a delivery and makes the next one of its subject due. */
function settle(store: DeliveryStore, id: number, state: "succeeded" | "failed", now: number): void {
  const [settled] = store.sql.rows<{ subject: string }>(
    "UPDATE deliveries SET delivery_state = ?, due_at = NULL, planned_at = NULL WHERE id = ? RETURNING subject",
    state,
    id,
  );
  if (settled) store.release(settled.subject, now);
}
