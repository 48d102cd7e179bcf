import { iso } from "../../domain/fields.ts";

// Dates in the panel: in UTC, the day before the month.

const format = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat("en-GB", { timeZone: "UTC", ...options });

const DAY = { day: "numeric", month: "short" } as const;
const TIME = { hour: "2-digit", minute: "2-digit" } as const;

const moments = format({ ...DAY, year: "numeric", ...TIME });
const days = format({ ...DAY, year: "numeric" });
const shortDays = format(DAY);
const times = format(TIME);
const months = format({ month: "short", year: "numeric" });

/** "31 Jan 2030, 12:00 UTC". Moments are epoch milliseconds. */
export const formatMoment = (at: number): string => `${moments.format(at)} UTC`;

/** "31 Jan 2030" */
export const formatDay = (at: number): string => days.format(at);

/** "31 Jan", where space is short and the year is clear. */
export const formatShortDay = (at: number): string => shortDays.format(at);

/** "Jan 2030" */
export const formatMonth = (at: number): string => months.format(at);

/** "12:00" */
export const formatTime = (at: number): string => times.format(at);

/** The value of an `<input type="datetime-local">` in UTC: "2030-01-31T12:00". */
export const formatForInput = (at: number | null): string | null =>
  at === null ? null : new Date(at).toISOString().slice(0, 16);

type WhenProps = {
  at: number | null;
  /** Text if there is no moment. */
  none?: string;
  /** True in lists: without the year if it is this one, and otherwise without the time. The tooltip has all. */
  brief?: boolean;
};

/** A moment (epoch milliseconds) in UTC. */
export const When = ({ at, none = "–", brief = false }: WhenProps) => {
  if (at === null) return <span class="muted">{none}</span>;
  if (!brief) return <time datetime={iso(at)}>{formatMoment(at)}</time>;
  const isThisYear = new Date(at).getUTCFullYear() === new Date().getUTCFullYear();
  return (
    <time datetime={iso(at)} title={formatMoment(at)} class="brief">
      {isThisYear ? formatShortDay(at) : formatDay(at)}
      {isThisYear && <span>, {formatTime(at)}</span>}
    </time>
  );
};
