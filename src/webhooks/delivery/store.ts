import type { EventType } from "../../domain/event-types.ts";
import { GIVE_UP_MS, LAST_DELAY, MINUTE, nextAttemptAt, OUTAGE_MS } from "../schedule.ts";
import type { ObjectSql } from "./object-sql.ts";
import type { Attempt, Due, NewDelivery } from "./rows.ts";
import { TABLES } from "./tables.ts";

type State = {
  endpoint_id: number;
  cursor: number | null;
  failing_since: number | null;
  succeeded_at: number | null;
};

/** What follows from an attempt for the endpoint as a whole. */
export type Verdict = "go on" | "pause";

/** The deliveries of one endpoint: what is due, in which order, and what comes of an attempt. Time is given to it. */
export class DeliveryStore {
  readonly sql: ObjectSql;

  constructor(sql: ObjectSql) {
    this.sql = sql;
    sql.run(TABLES);
  }

  /** Says which endpoint this is. */
  open(endpointId: number): void {
    this.sql.run(TABLES);
    this.sql.run("INSERT INTO state (one, endpoint_id) VALUES (1, ?) ON CONFLICT DO NOTHING", endpointId);
  }

  get state(): State | undefined {
    return this.sql.rows<State>("SELECT endpoint_id, cursor, failing_since, succeeded_at FROM state")[0];
  }

  /** Takes over events and moves the cursor behind them, both or neither. */
  add(deliveries: readonly NewDelivery[], cursor: number, now: number): void {
    this.sql.atomically(() => {
      this.append(deliveries, now);
      this.sql.run("UPDATE state SET cursor = ?", cursor);
    });
  }

  /** Puts deliveries behind all that are pending. */
  append(deliveries: readonly NewDelivery[], now: number): void {
    const lastPlace = this.#takePlaces(deliveries.length) - deliveries.length;
    for (const [index, { eventId, type, subject, body }] of deliveries.entries()) {
      this.sql.run(
        `INSERT INTO deliveries (event_id, type, subject, body, place, due_at, created_at)
          SELECT ?1, ?2, ?3, ?4, ?5, iif(EXISTS (${FIRST_IN_LINE("?3")}), NULL, ?6), ?6`,
        eventId,
        type,
        subject,
        body,
        lastPlace + index + 1,
        now,
      );
    }
  }

  /** The deliveries that are due, the one that waits longest first. */
  due(now: number, most: number): Due[] {
    return this.sql.rows<Due>(
      "SELECT id, event_id, body FROM deliveries WHERE due_at <= ? ORDER BY due_at, id LIMIT ?",
      now,
      most,
    );
  }

  /** Whether so many are due, or more. */
  isDue(many: number, now: number): boolean {
    return this.sql.rows("SELECT 1 FROM deliveries WHERE due_at <= ? LIMIT 1 OFFSET ?", now, many - 1).length > 0;
  }

  /** When the next delivery is due, null if none is pending. */
  nextDueAt(): number | null {
    return (
      this.sql.rows<{ at: number | null }>("SELECT min(due_at) AS at FROM deliveries WHERE due_at IS NOT NULL")[0]
        ?.at ?? null
    );
  }

  /** Writes an attempt down with all that follows from it. `random` is from 0 to 1. */
  record(deliveryId: number, attempt: Attempt, now: number, random: number): Verdict {
    return this.sql.atomically(() => {
      this.sql.run(
        "INSERT INTO attempts (delivery_id, at, duration_ms, status, error, answer) VALUES (?, ?, ?, ?, ?, ?)",
        deliveryId,
        attempt.at,
        attempt.durationMs,
        attempt.status,
        attempt.error,
        attempt.answer,
      );
      if (attempt.error === null) {
        this.#settle(deliveryId, "succeeded", now);
        this.#succeeded(now);
        return "go on";
      }
      return this.#failed(deliveryId, attempt, now, random);
    });
  }

  #succeeded(now: number): void {
    const { failing_since: since, succeeded_at: last } = this.state ?? {};
    // To the minute is enough, and spares each delivery a write.
    if (since !== null || now - (last ?? 0) >= MINUTE) {
      this.sql.run("UPDATE state SET failing_since = NULL, succeeded_at = ?", now);
    }
    if (now - (since ?? now) >= OUTAGE_MS) this.#hurry(now);
  }

  /** After an outage all that waits is sent at once. What fails again waits for its planned time, and is not hurried twice. */
  #hurry(now: number): void {
    this.sql.run(
      "UPDATE deliveries SET planned_at = due_at, due_at = ?1 WHERE due_at > ?1 AND planned_at IS NULL",
      now,
    );
  }

  #failed(id: number, { at, retryAfter }: Attempt, now: number, random: number): Verdict {
    this.sql.run("UPDATE state SET failing_since = min(coalesce(failing_since, ?1), ?1)", at);
    const since = this.state?.failing_since ?? now;
    const [delivery] = this.sql.rows<{ failures: number; planned_at: number | null; others_arrive: number | null }>(
      `SELECT failures, planned_at, (SELECT succeeded_at FROM state) >
          (SELECT min(at) FROM attempts WHERE delivery_id = deliveries.id) AS others_arrive
        FROM deliveries WHERE id = ? AND delivery_state = 'pending'`,
      id,
    );
    if (!delivery) return "go on";
    if (delivery.planned_at !== null && delivery.planned_at > now) {
      this.sql.run("UPDATE deliveries SET due_at = planned_at WHERE id = ?", id);
    } else {
      const failures = delivery.failures + 1;
      // While nothing at all arrives, no delivery is given up: the endpoint is, in the end.
      const last = delivery.others_arrive ? null : now + LAST_DELAY;
      const next = nextAttemptAt(failures, retryAfter, now, random) ?? last;
      this.sql.run(
        "UPDATE deliveries SET failures = ?, due_at = ?, planned_at = NULL WHERE id = ?",
        failures,
        next,
        id,
      );
      if (next === null) this.#settle(id, "failed", now);
    }
    return now - since >= GIVE_UP_MS ? "pause" : "go on";
  }

  /** Ends a delivery: the next of its subject is due. */
  #settle(id: number, state: "succeeded" | "failed", now: number): void {
    const [settled] = this.sql.rows<{ subject: string }>(
      "UPDATE deliveries SET delivery_state = ?, due_at = NULL, planned_at = NULL WHERE id = ? RETURNING subject",
      state,
      id,
    );
    if (settled) this.release(settled.subject, now);
  }

  release(subject: string, now: number): void {
    this.sql.run(
      `UPDATE deliveries SET due_at = ?2 WHERE id = (${FIRST_IN_LINE("?1")}) AND due_at IS NULL`,
      subject,
      now,
    );
  }

  /** While the endpoint is paused nothing counts against it, and all that waits is due once it is enabled again. */
  rest(now: number): void {
    this.sql.run("UPDATE state SET failing_since = NULL");
    this.sql.run("UPDATE deliveries SET due_at = ?1, planned_at = NULL WHERE due_at > ?1", now);
  }

  /** Sends a delivery of one of the types once more: now, or behind those of its subject that are pending. */
  retry(id: number, types: readonly EventType[], now: number): "due" | "waits" | "missing" {
    const [delivery] = this.sql.rows<{ subject: string; state: string; due_at: number | null }>(
      "SELECT subject, delivery_state AS state, due_at FROM deliveries WHERE id = ? AND type IN (SELECT value FROM json_each(?))",
      id,
      JSON.stringify(types),
    );
    if (!delivery) return "missing";
    if (delivery.state === "pending") {
      if (delivery.due_at === null) return "waits";
      this.sql.run("UPDATE deliveries SET due_at = min(due_at, ?), planned_at = NULL WHERE id = ?", now, id);
      return "due";
    }
    this.sql.atomically(() => {
      const place = this.#takePlaces(1);
      this.sql.run("UPDATE deliveries SET delivery_state = 'pending', failures = 0, place = ? WHERE id = ?", place, id);
      this.release(delivery.subject, now);
    });
    return "due";
  }

  /** Numbers for the ends of lines: the last of so many that no delivery has yet. */
  #takePlaces(many: number): number {
    const taken = "UPDATE state SET last_place = last_place + ? RETURNING last_place";
    return many === 0 ? 0 : (this.sql.rows<{ last_place: number }>(taken, many)[0]?.last_place ?? 0);
  }
}

const FIRST_IN_LINE = (subject: string): string =>
  `SELECT id FROM deliveries WHERE subject = ${subject} AND delivery_state = 'pending' ORDER BY place LIMIT 1`;
