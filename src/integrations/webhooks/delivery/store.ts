import type { EventType } from "../../../domain/event-types.ts";
import { DELETED_AT_ONCE } from "../../../platform/db/client.ts";
import { EVENT_RETENTION_MS } from "../../events/public.ts";
import type { Due, EndpointHealth, EndpointId, NewDelivery } from "./rows.ts";

type State = {
  endpoint_id: EndpointId;
  cursor: number | null;
  failing_since: number | null;
  succeeded_at: number | null;
};

// Tables of an endpoint's Durable Object, in its own SQLite. A delivery is an event on its way to the endpoint. Only the
// first pending delivery of each subject has a `due_at`; later ones wait for it, so that they arrive in order.

const TABLES = `
  CREATE TABLE IF NOT EXISTS state (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    endpoint_id INTEGER NOT NULL,
    cursor INTEGER,
    last_place INTEGER NOT NULL DEFAULT 0,
    failing_since INTEGER,
    succeeded_at INTEGER
  );
  CREATE TABLE IF NOT EXISTS deliveries (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    event_id INTEGER NOT NULL,
    type TEXT NOT NULL,
    subject TEXT NOT NULL,
    body TEXT NOT NULL,
    delivery_state TEXT NOT NULL DEFAULT 'pending' CHECK (delivery_state IN ('pending', 'succeeded', 'failed')),
    place INTEGER NOT NULL,
    failures INTEGER NOT NULL DEFAULT 0,
    due_at INTEGER,
    planned_at INTEGER,
    created_at INTEGER NOT NULL
  );
  CREATE INDEX IF NOT EXISTS deliveries_due ON deliveries (due_at) WHERE due_at IS NOT NULL;
  CREATE INDEX IF NOT EXISTS deliveries_in_line ON deliveries (subject, place) WHERE delivery_state = 'pending';
  CREATE INDEX IF NOT EXISTS deliveries_by_state ON deliveries (delivery_state, id);
  CREATE TABLE IF NOT EXISTS attempts (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    delivery_id INTEGER NOT NULL,
    at INTEGER NOT NULL,
    duration_ms INTEGER NOT NULL,
    status INTEGER,
    error TEXT,
    answer TEXT
  );
  CREATE INDEX IF NOT EXISTS attempts_of_delivery ON attempts (delivery_id, id);
  CREATE TABLE IF NOT EXISTS replays (
    id TEXT PRIMARY KEY,
    types TEXT NOT NULL,
    from_at INTEGER NOT NULL,
    to_at INTEGER NOT NULL,
    after_id INTEGER NOT NULL,
    until_id INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    done INTEGER NOT NULL DEFAULT 0
  );
  CREATE TABLE IF NOT EXISTS replayed_deliveries (
    delivery_id INTEGER PRIMARY KEY,
    replay_id TEXT NOT NULL
  );
  CREATE INDEX IF NOT EXISTS replayed_deliveries_of_replay ON replayed_deliveries (replay_id);
`;

/** Deliveries of one endpoint, in the order they are due. Callers pass in the time. */
export class DeliveryStore {
  readonly sql: ObjectSql;

  constructor(sql: ObjectSql) {
    this.sql = sql;
    this.createTables();
  }

  createTables = (): void => this.sql.run(TABLES);

  /** Sets the endpoint's id. */
  open(endpointId: EndpointId): void {
    this.createTables();
    this.sql.run("INSERT INTO state (one, endpoint_id) VALUES (1, ?) ON CONFLICT DO NOTHING", endpointId);
  }

  get state(): State | undefined {
    return this.sql.rows<State>("SELECT endpoint_id, cursor, failing_since, succeeded_at FROM state")[0];
  }

  get health(): EndpointHealth {
    const [row] = this.sql.rows<Pick<EndpointHealth, "lastError" | "pending">>(
      `SELECT (SELECT error FROM attempts WHERE error IS NOT NULL ORDER BY id DESC LIMIT 1) AS lastError,
        (SELECT count(*) FROM (SELECT 1 FROM deliveries WHERE delivery_state = 'pending' LIMIT 1000)) AS pending`,
    );
    const failingSince = this.state?.failing_since ?? null;
    const nextDueAt = this.nextDueAt();
    const lateSince = nextDueAt === null ? null : Math.min(failingSince ?? nextDueAt, nextDueAt);
    return { lastError: null, pending: 0, ...row, failingSince, lateSince };
  }

  /** Stores events and advances the cursor, atomically. */
  add(deliveries: readonly NewDelivery[], cursor: number, now: number): void {
    this.sql.atomically(() => {
      this.append(deliveries, now);
      this.sql.run("UPDATE state SET cursor = ?", cursor);
    });
  }

  /** Adds deliveries after all pending ones, and returns their ids. */
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

  /** Returns the due deliveries, longest waiting first. */
  due(now: number, most: number): Due[] {
    return this.sql.rows<Due>(
      "SELECT id, event_id, body FROM deliveries WHERE due_at <= ? ORDER BY due_at, id LIMIT ?",
      now,
      most,
    );
  }

  /** Returns true if at least `many` deliveries are due. */
  isDue(many: number, now: number): boolean {
    return this.sql.rows("SELECT 1 FROM deliveries WHERE due_at <= ? LIMIT 1 OFFSET ?", now, many - 1).length > 0;
  }

  /** Returns when the next delivery is due, null if none is pending. */
  nextDueAt(): number | null {
    return (
      this.sql.rows<{ at: number | null }>("SELECT min(due_at) AS at FROM deliveries WHERE due_at IS NOT NULL")[0]
        ?.at ?? null
    );
  }

  /** Makes the next delivery of the subject due. */
  release(subject: string, now: number): void {
    this.sql.run(
      `UPDATE deliveries SET due_at = ?2 WHERE id = (${FIRST_IN_LINE("?1")}) AND due_at IS NULL`,
      subject,
      now,
    );
  }

  /** Clears failures while the endpoint is paused, so that all pending deliveries are due once it is enabled. */
  resetBackoff(now: number): void {
    this.sql.run("UPDATE state SET failing_since = NULL");
    this.sql.run("UPDATE deliveries SET due_at = ?1, planned_at = NULL WHERE due_at > ?1", now);
  }

  /** Retries a delivery of one of the types, now or after the pending ones of its subject. */
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

  /** Reserves `many` numbers at the end of the queue, and returns the last. */
  #takePlaces(many: number): number {
    const taken = "UPDATE state SET last_place = last_place + ? RETURNING last_place";
    return many === 0 ? 0 : (this.sql.rows<{ last_place: number }>(taken, many)[0]?.last_place ?? 0);
  }
}

const FIRST_IN_LINE = (subject: string): string =>
  `SELECT id FROM deliveries WHERE subject = ${subject} AND delivery_state = 'pending' ORDER BY place LIMIT 1`;

/** Deletes deliveries past the retention period of events, with their attempts. */
export function deleteOld(store: DeliveryStore, now: number): void {
  const { sql } = store;
  sql.atomically(() => {
    const deleted = sql.rows<{ id: number; subject: string; state: string }>(
      `DELETE FROM deliveries WHERE id IN (SELECT id FROM deliveries ORDER BY id LIMIT ${DELETED_AT_ONCE}) AND created_at < ?
        RETURNING id, subject, delivery_state AS state`,
      now - EVENT_RETENTION_MS,
    );
    for (const { id, subject, state } of deleted) {
      sql.run("DELETE FROM attempts WHERE delivery_id = ?", id);
      sql.run("DELETE FROM replayed_deliveries WHERE delivery_id = ?", id);
      if (state === "pending") store.release(subject, now);
    }
    sql.run("DELETE FROM replays WHERE done = 1 AND created_at < ?", now - EVENT_RETENTION_MS);
  });
}

/** Ends pending deliveries of other types, because the URL may now belong to somebody who may not read them. */
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

/** SQLite of a Durable Object. Each call is complete when it returns. */
export class ObjectSql {
  readonly #storage: DurableObjectStorage;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
  }

  rows<Row extends Record<string, SqlStorageValue>>(query: string, ...values: SqlStorageValue[]): Row[] {
    return this.#storage.sql.exec<Row>(query, ...values).toArray();
  }

  run(query: string, ...values: SqlStorageValue[]): void {
    this.#storage.sql.exec(query, ...values);
  }

  /** Commits all writes of `work`, or none. */
  atomically<Result>(work: () => Result): Result {
    return this.#storage.transactionSync(work);
  }
}
