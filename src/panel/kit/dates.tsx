import { iso } from "../../domain/fields.ts";
import { dayIn, formatIn, localTime, shopTimeZone } from "../../domain/time.ts";

// Dates in the panel: in the shop's time zone, with the day before the month. Times are epoch milliseconds.

const DAY = { day: "numeric", month: "short" } as const;
const DATE = { ...DAY, year: "numeric" } as const;
const YEAR = { year: "numeric" } as const;
const TIME = { hour: "2-digit", minute: "2-digit" } as const;

/** "31 Jan 2030, 12:00 UTC" */
export const formatMoment = (at: number): string => formatIn({ ...DATE, ...TIME, timeZoneName: "short" }, at);

/** "31 Jan 2030" */
export const formatDay = (at: number): string => formatIn(DATE, at);

/** "12:00" */
export const formatTime = (at: number): string => formatIn(TIME, at);

/** "31 Jan 2030", from a day such as "2030-01-31". */
export const formatDate = (day: string): string => formatIn(DATE, Date.parse(day), "UTC");

/** "31 Jan", where space is short and the year is clear. */
export const formatShortDate = (day: string): string => formatIn(DAY, Date.parse(day), "UTC");

/** "Jan 2030" */
export const formatMonth = (day: string): string =>
  formatIn({ month: "short", year: "numeric" }, Date.parse(day), "UTC");

/** The value of an `<input type="datetime-local">`: "2030-01-31T12:00". */
export const formatForInput = (at: number | null): string | null =>
  at === null ? null : localTime(shopTimeZone(), at);

/** The time of a day. */
export const Clock = ({ at }: { at: number }) => (
  <time datetime={iso(at)} title={formatMoment(at)}>
    {formatTime(at)}
  </time>
);

/** The day of a moment in the shop's time zone: "2030-01-31". */
export const shopDayOf = (at: number): string => dayIn(shopTimeZone(), at);

/** A list's group of a day, for rows that show only the time. */
export const dayGroup = (at: number) => ({ key: shopDayOf(at), head: formatDay(at) });

type WhenProps = {
  at: number | null;
  /** Text if there is no time. */
  none?: string;
  /**
   * In lists: without the year in the current year, and otherwise without the time; or only the day. The tooltip shows
   * everything.
   */
  brief?: boolean | "day";
};

/** A time. The frame of every page names the time zone, and so does the tooltip. */
export const When = ({ at, none = "–", brief = false }: WhenProps) => {
  if (at === null) return <span class="muted">{none}</span>;
  const isThisYear = formatIn(YEAR, at) === formatIn(YEAR, Date.now());
  return (
    <time datetime={iso(at)} title={formatMoment(at)} class={brief ? "brief" : undefined}>
      {formatIn(brief && isThisYear ? DAY : DATE, at)}
      {(!brief || (isThisYear && brief !== "day")) && <span>, {formatTime(at)}</span>}
    </time>
  );
};
