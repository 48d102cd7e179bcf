import { and, asc, desc, eq, getTableColumns, gt, inArray, lt, type SQL, sql } from "drizzle-orm";
import { badRequest, fieldError, wrongCaller } from "../../domain/errors.ts";
import { type EventType, eventTypeNames, eventTypes } from "../../domain/event-types.ts";
import { UNUSED_MS } from "../../domain/limits.ts";
import { DAY_MS } from "../../domain/time.ts";
import {
  type AccountScope,
  type Caller,
  inScope,
  isAdministrator,
  may,
  requirePermission,
} from "../../platform/auth/caller.ts";
import { permits, readAll } from "../../platform/auth/roles.ts";
import { type Database, DELETED_AT_ONCE } from "../../platform/db/client.ts";
import { events } from "../../platform/db/schema.ts";
import { workOffInBulk } from "../../platform/queues/work-off.ts";

export type EventRow = typeof events.$inferSelect;

/** Filter for events. Without types or a subject, all events match. */
type EventFilter = {
  /** Id of the last event the reader knows. */
  afterId: number;
  types?: readonly EventType[] | undefined;
  subject?: string | undefined;
  /** True for events of test orders only, false for all others. */
  test?: boolean | undefined;
  /** Limits events to those about accounts in this scope. */
  scope?: AccountScope;
  limit: number;
};

/** Events after a cursor, oldest first. */
type EventsPage = {
  rows: EventRow[];
  /** The reader's next cursor. All matching events up to this id have been returned. */
  lastId: number;
  /** True if more matching events may follow. */
  more: boolean;
  /** Ids of the oldest retained event and the newest one, 0 if there is none. */
  oldestId: number;
  newestId: number;
};

/** How many events one statement scans for matches, so that rare types cost no more than others. */
export const SCANNED_AT_ONCE = 2000;

/** Reads events in one round trip, at a cost independent of their number and of the filter. */
export async function readEvents(db: Database, filter: EventFilter): Promise<EventsPage> {
  const { afterId, types, subject, test, scope, limit } = filter;
  const after = gt(events.id, afterId);
  const last = lastScanned(db, filter);
  const [found, [place]] = await db.batch([
    db
      .select(getTableColumns(events))
      .from(events)
      .where(
        and(
          after,
          subject === undefined ? sql`${events.id} <= ${last}` : eq(events.subject, subject),
          types && inArray(events.type, sql`(SELECT value FROM json_each(${JSON.stringify(types)}))`),
          test === undefined ? undefined : sql`(${events.data} ->> 'test' IS TRUE) = ${Number(test)}`,
          scope && inScope(scope, sql`${events.data} ->> 'user_id'`),
        ),
      )
      .orderBy(asc(events.id))
      .limit(limit + 1),
    db
      .select({
        last: sql<number | null>`${last}`,
        newest: sql<number | null>`(SELECT max(id) FROM events)`,
        oldest: sql<number | null>`(SELECT min(id) FROM events)`,
      })
      .from(sql`(SELECT 1)`),
  ]);
  const rows = found.slice(0, limit);
  const scannedTo = Math.max(afterId, place?.last ?? 0);
  const lastId = found.length > limit ? (rows.at(-1)?.id ?? afterId) : scannedTo;
  const more = found.length > limit || scannedTo < (place?.newest ?? 0);
  return { rows, lastId, more, oldestId: place?.oldest ?? 0, newestId: place?.newest ?? 0 };
}

/** Returns the id of the last event that one statement scans. Events of a single subject have an index and need no bound. */
const lastScanned = (db: Database, { afterId, subject }: EventFilter): SQL => {
  if (subject !== undefined) return sql`(SELECT max(id) FROM events)`;
  const scanned = db
    .select({ id: events.id })
    .from(events)
    .where(gt(events.id, afterId))
    .orderBy(asc(events.id))
    .limit(SCANNED_AT_ONCE);
  return sql`(SELECT max(id) FROM ${scanned})`;
};

type NewestFilter = Pick<EventFilter, "scope" | "limit"> & {
  types: readonly EventType[];
  /** Id of the oldest event that the reader saw. Undefined to begin with the newest. */
  beforeId: number | undefined;
};

/** Reads events before a cursor, newest first, and the cursor of earlier ones. Null if there are none. */
export async function readNewestEvents(db: Database, { beforeId, types, scope, limit }: NewestFilter) {
  const before = beforeId === undefined ? undefined : lt(events.id, beforeId);
  const scanned = db
    .select({ id: events.id })
    .from(events)
    .where(before)
    .orderBy(desc(events.id))
    .limit(SCANNED_AT_ONCE);
  const first = sql`(SELECT min(id) FROM ${scanned})`;
  const [found, [place]] = await db.batch([
    db
      .select(getTableColumns(events))
      .from(events)
      .where(
        and(
          before,
          sql`${events.id} >= ${first}`,
          inArray(events.type, sql`(SELECT value FROM json_each(${JSON.stringify(types)}))`),
          scope && inScope(scope, sql`${events.data} ->> 'user_id'`),
        ),
      )
      .orderBy(desc(events.id))
      .limit(limit + 1),
    db
      .select({
        first: sql<number | null>`${first}`.as("first"),
        oldest: sql<number | null>`(SELECT min(id) FROM events)`.as("oldest"),
      })
      .from(sql`(SELECT 1)`),
  ]);
  const rows = found.slice(0, limit);
  if (found.length > limit) return { rows, next: rows.at(-1)?.id ?? null };
  return { rows, next: (place?.first ?? 0) > (place?.oldest ?? 0) ? (place?.first ?? null) : null };
}

/** How long events are kept. */
export const EVENT_RETENTION_MS = 30 * 24 * 60 * 60_000;

/** Deletes old events, but never the newest one. */
export const deleteOldEvents = (db: Database, now: number): Promise<void> =>
  workOffInBulk(db, now, {
    queue: "delete_events",
    id: sql`events.id`,
    atOnce: DELETED_AT_ONCE,
    due: (which) => sql`
      SELECT id FROM (
        SELECT id, created_at FROM events WHERE id < (SELECT max(id) FROM events) AND ${which} ORDER BY id LIMIT ${DELETED_AT_ONCE})
      WHERE created_at < ${now - EVENT_RETENTION_MS}`,
    write: (ids) => sql`DELETE FROM events WHERE id IN (${ids}) RETURNING 1`,
  });

const EXPIRING_MS = 7 * 24 * 60 * 60_000;

const PUBLISHED_AT_ONCE = 100;

/**
 * Time after which a key that became unused is no longer announced, because its earlier event may have been deleted.
 */
const ANNOUNCED_MS = EVENT_RETENTION_MS - DAY_MS;

/** Publishes an event for each API key that expires within a week, once per expiry date. */
export const publishExpiringKeys = (db: Database, now: number): Promise<void> =>
  publishKeys(db, now, {
    queue: "publish_expiring_keys",
    type: "api_key.expiring",
    due: sql`expires_at > ${now} AND expires_at <= ${now + EXPIRING_MS}`,
    isTold: sql`events.data ->> 'expires_at' = told.data ->> 'expires_at'`,
  });

/** Publishes an event for each API key that has been unused for 90 days, once until it is used again. */
export const publishUnusedKeys = (db: Database, now: number): Promise<void> =>
  publishKeys(db, now, {
    queue: "publish_unused_keys",
    type: "api_key.unused",
    due: sql`(expires_at IS NULL OR expires_at > ${now}) AND ifnull(last_used_at, api_keys.created_at)
      BETWEEN ${now - UNUSED_MS - ANNOUNCED_MS} AND ${now - UNUSED_MS}`,
    isTold: sql`events.created_at > ifnull(last_used_at, api_keys.created_at)`,
  });

type KeyNotice = { queue: "publish_expiring_keys" | "publish_unused_keys"; type: EventType; due: SQL; isTold: SQL };

const publishKeys = (db: Database, now: number, { queue, type, due, isTold }: KeyNotice): Promise<void> =>
  workOffInBulk(db, now, {
    queue,
    id: sql`api_keys.id`,
    atOnce: PUBLISHED_AT_ONCE,
    due: (which) => sql`
      SELECT api_keys.id FROM api_keys JOIN api_key_event_data AS told ON told.id = api_keys.id
      WHERE revoked_at IS NULL AND ${due} AND ${which} AND NOT EXISTS (
        SELECT 1 FROM events WHERE subject = 'api_key:' || api_keys.id AND type = ${type} AND ${isTold})
      LIMIT ${PUBLISHED_AT_ONCE}`,
    write: (ids) => sql`
      INSERT INTO events (type, subject, created_at, data)
      SELECT ${type}, 'api_key:' || id, ${now}, data FROM api_key_event_data WHERE id IN (${ids}) RETURNING 1`,
  });

/** Returns the requested types, or all, whose resource the caller may read. Refuses a caller who may read none requested. */
export function readableTypes(caller: Caller, asked?: readonly EventType[]): EventType[] {
  const types = (asked ?? eventTypeNames).filter((type) => mayRead(caller, type));
  if (asked && types.length === 0) requireReadable(caller, asked);
  return types;
}

function mayRead(caller: Caller, type: EventType): boolean {
  const { readers: resource } = eventTypes[type];
  return resource === null ? isAdministrator(caller) : may(caller, readAll(resource));
}

/** True if an API key with these permissions may read the type. */
export function mayReadWith(granted: readonly string[], type: EventType): boolean {
  const { readers: resource } = eventTypes[type];
  return resource !== null && permits(granted, readAll(resource));
}

/** Refuses types that the caller may not read. */
export function requireReadable(caller: Caller, types: readonly EventType[]): void {
  const type = types.find((each) => !mayRead(caller, each));
  if (type === undefined) return;
  const { readers: resource } = eventTypes[type];
  if (resource !== null) requirePermission(caller, readAll(resource));
  throw wrongCaller("administrators_only", `Events of the type ${type} are only for administrators`);
}

/** Refuses a cursor older than the oldest retained event: its reader would miss events without knowing. */
export function requireUnexpiredCursor(afterId: number, oldestId: number): void {
  if (afterId === 0 || afterId >= oldestId - 1) return;
  throw badRequest(
    fieldError(
      "after_id",
      "cursor_expired",
      `must be 0, or at least ${oldestId - 1}: earlier events have been deleted`,
      {
        oldest_id: oldestId,
      },
    ),
  );
}
