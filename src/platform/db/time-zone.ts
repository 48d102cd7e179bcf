import { type SQL, sql } from "drizzle-orm";
import { DAY_MS, offsetsIn, rememberTimeZone, shopTimeZone } from "../../domain/time.ts";
import type { Database } from "./client.ts";
import { alerts, shop } from "./schema.ts";

/** The shop's time zone, for use in other statements. */
export const savedTimeZone = sql<string>`coalesce((SELECT ${shop.timeZone} FROM ${shop}), 'UTC')`;

/** Time for which an isolate may use a time zone that was changed elsewhere. */
const FRESH_MS = 30_000;

let readAt = Number.NEGATIVE_INFINITY;

let shopName: string | null = null;

/** The cached name of the shop, or null until an administrator sets it. */
export const savedShopName = (): string | null => shopName;

let openAlerts = 0;

/** The cached number of open alerts. */
export const savedOpenAlerts = (): number => openAlerts;

export function rememberShopName(name: string): void {
  shopName = name;
}

/** Reads the shop's time zone, its name and the number of open alerts, unless this isolate cached them recently. */
export async function readTimeZone(db: Database): Promise<void> {
  const now = Date.now();
  if (Math.abs(now - readAt) < FRESH_MS) return;
  const row = await db
    .select({
      zone: savedTimeZone.as("zone"),
      name: sql<string | null>`(SELECT ${shop.name} FROM ${shop})`.as("name"),
      alerts: sql<number>`(SELECT count(*) FROM ${alerts} WHERE ${alerts.resolvedAt} IS NULL)`.as("alerts"),
    })
    .from(sql`(SELECT 1)`)
    .get();
  rememberTimeZone(row?.zone ?? "UTC");
  shopName = row?.name ?? null;
  openAlerts = row?.alerts ?? 0;
  readAt = now;
}

/** No order is older. */
const EARLIEST = Date.UTC(2020, 0, 1);
const AHEAD_MS = 400 * DAY_MS;

let offsets = { zone: "", until: 0, list: "[]" };

/** SQLite has no time zones, so the statement includes the times at which clocks change. */
function offsetList(now: number): string {
  const zone = shopTimeZone();
  if (offsets.zone !== zone || offsets.until < now) {
    const until = now + AHEAD_MS;
    offsets = { zone, until, list: JSON.stringify(offsetsIn(zone, EARLIEST, until).toReversed()) };
  }
  return offsets.list;
}

/** Milliseconds by which the shop's clocks were ahead of UTC at the time in a row. */
export const shopOffsetAt = (moment: SQL, now: number): SQL =>
  sql`coalesce((SELECT value ->> 1 FROM json_each(${offsetList(now)}) WHERE value ->> 0 <= ${moment} ORDER BY key LIMIT 1), 0)`;
