import * as z from "zod";

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

let current = "UTC";

/**
 * The shop's time zone, an IANA name. It belongs to the isolate rather than the request: a deployment is one shop, and
 * pages, forms and e-mails use it in many places. `readTimeZone` updates it.
 */
export const shopTimeZone = (): string => current;

export function rememberTimeZone(zone: string): void {
  current = zone;
}

/** "America/New York" */
export const zoneName = (zone: string): string => zone.replaceAll("_", " ");

/**
 * Offsets such as +01:00 are not time zones, because they have no daylight saving time. Engines accept several signs.
 */
const OFFSET = /^\P{L}/u;

const zoneCalled = (name: string): string | undefined => {
  if (OFFSET.test(name)) return undefined;
  try {
    const { timeZone } = new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions();
    return timeZone.toLowerCase() === name.toLowerCase() ? timeZone : name;
  } catch {
    return undefined;
  }
};

export const TimeZone = z
  .string()
  .max(60)
  .transform((name, context) => {
    const zone = zoneCalled(name);
    if (zone !== undefined) return zone;
    context.addIssue({ code: "custom", message: "must be a time zone such as Europe/Berlin" });
    return z.NEVER;
  });

const formats = new Map<string, Intl.DateTimeFormat>();

/** Formats a time, in English with the day before the month. */
export function formatIn(
  options: Intl.DateTimeFormatOptions,
  at: number,
  timeZone = current,
  locale = "en-GB",
): string {
  const key = JSON.stringify([timeZone, locale, options]);
  const format = formats.get(key) ?? new Intl.DateTimeFormat(locale, { timeZone, ...options });
  formats.set(key, format);
  return format.format(at);
}

/** "31 January 2030 at 12:00 UTC", for readers elsewhere. */
export const formatLongMoment = (at: number, timeZone = current, locale?: string): string =>
  formatIn(
    { day: "numeric", month: "long", year: "numeric", hour: "2-digit", minute: "2-digit", timeZoneName: "short" },
    at,
    timeZone,
    locale,
  );

const clocks = new Map<string, Intl.DateTimeFormat>();

function clockOf(zone: string): Intl.DateTimeFormat {
  const known = clocks.get(zone);
  if (known) return known;
  const numeric = "2-digit" as const;
  const clock = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: numeric,
    day: numeric,
    hour: numeric,
    minute: numeric,
    second: numeric,
  });
  clocks.set(zone, clock);
  return clock;
}

/** Milliseconds by which clocks in the zone are ahead of UTC at a time. */
export function offsetAt(zone: string, at: number): number {
  if (zone === "UTC") return 0;
  const [month, day, year, hour, minute, second] = (clockOf(zone).format(at).match(/\d+/g) ?? []).map(Number);
  const shown = Date.UTC(year ?? 0, (month ?? 1) - 1, day, hour, minute, second);
  return shown - Math.floor(at / 1000) * 1000;
}

const textAt = (zone: string, at: number): string => new Date(at + offsetAt(zone, at)).toISOString();

/** The day of a time in the zone, such as "2026-10-05". */
export const dayIn = (zone: string, at: number): string => textAt(zone, at).slice(0, 10);

/** The day a number of days after another. */
export const addDays = (day: string, days: number): string => dayIn("UTC", Date.parse(day) + days * DAY_MS);

/** Local time in the zone: "2026-10-05T12:30". */
export const localTime = (zone: string, at: number): string => textAt(zone, at).slice(0, 16);

/**
 * The time at which clocks in the zone show a value such as "2026-10-05T12:30". Returns the earlier one if there are
 * two. A value skipped by a clock change is read as before the change, an hour later.
 */
export function momentOf(zone: string, time: string): number {
  const shown = Date.parse(`${time}Z`);
  const [before, after] = [offsetAt(zone, shown - DAY_MS), offsetAt(zone, shown + DAY_MS)];
  const found = [before, after].map((offset) => shown - offset).filter((at) => at + offsetAt(zone, at) === shown);
  return found.length > 0 ? Math.min(...found) : shown - before;
}

/** The start of a day in the zone. */
export const startOfDay = (zone: string, day: string): number => momentOf(zone, `${day}T00:00`);

/** A time from which clocks in a zone are ahead of UTC by an offset, in milliseconds. */
type Offset = [from: number, offset: number];

/** Time within which no clock change is undone. Morocco's month of Ramadan is the shortest time between two changes. */
const STEP_MS = 14 * DAY_MS;

/** A zone's clock changes from `from` to `to`, preceded by the offset at the start. */
export function offsetsIn(zone: string, from: number, to: number): Offset[] {
  const offsets: Offset[] = [[from, offsetAt(zone, from)]];
  for (let at = from; at < to; at += STEP_MS) {
    const [, before] = offsets.at(-1) ?? [at, 0];
    const after = offsetAt(zone, at + STEP_MS);
    if (after !== before) offsets.push([changeIn(zone, at, at + STEP_MS, before), after]);
  }
  return offsets;
}

/** The minute between two times in which clocks change from `offset`. */
function changeIn(zone: string, from: number, to: number, offset: number): number {
  let [low, high] = [Math.floor(from / MINUTE_MS), Math.floor(to / MINUTE_MS)];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetAt(zone, middle * MINUTE_MS) === offset) low = middle;
    else high = middle;
  }
  return high * MINUTE_MS;
}
