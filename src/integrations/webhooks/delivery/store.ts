import type { EventType } from "../../../domain/event-types.ts";
import type { ObjectSql } from "./object-sql.ts";
import type { Due, NewDelivery } from "./rows.ts";
import { TABLES } from "./tables.ts";

type State = {
  endpoint_id: number;
  cursor: number | null;
  failing_since: number | null;
  succeeded_at: number | null;
};

/** The deliveries of one endpoint: what is due, and in which order. Time is given to it. */
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

  /** Puts deliveries behind all that are pending, and answers with their ids. */
  append(deliveries: readonly NewDelivery[], now: number): number[] {
    const lastPlace = this.#takePlaces(deliveries.length) - deliveries.length;
    return deliveries.flatMap(({ eventId, type, subject, body }, index) => {
      const inserted = this.sql.rows<{ id: number }>(
        `INSERT INTO deliveries (event_id, type, subject, body, place, due_at, created_at)
          SELECT ?1, ?2, ?3, ?4, ?5, iif(EXISTS (${FIRST_IN_LINE("?3")}), NULL, ?6), ?6 RETURNING id`,
        eventId,
        type,
        subject,
        body,
        lastPlace + index + 1,
        now,
      );
      return inserted.map(({ id }) => id);
    });
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

  /** The next delivery of the subject is due. */
  release(subject: string, now: number): void {
    this.sql.run(
      `UPDATE deliveries SET due_at = ?2 WHERE id = (${FIRST_IN_LINE("?1")}) AND due_at IS NULL`,
      subject,
      now,
    );
  }

  /** While the endpoint is paused nothing counts against it, and all that waits is due once it is enabled again. */
  resetBackoff(now: number): void {
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
