/** Which number comes first in a date such as 03/04/2026. */
export type DateOrder = "day first" | "month first";

const TIME = /(?:[T,\s]+\d{1,2}:\d{2}.*)?$/.source;
const YEAR_FIRST = new RegExp(`^(\\d{4})[-/.](\\d{1,2})[-/.](\\d{1,2})${TIME}`);
const YEAR_LAST = new RegExp(`^(\\d{1,2})([-/.])(\\d{1,2})\\2(\\d{4})${TIME}`);
const DAY_AND_NAME = new RegExp(
  `^(\\d{1,2})(?:st|nd|rd|th|\\.|er|º)?[\\s-]*(?:de\\s+)?(\\p{L}+)\\.?,?[\\s-]*(?:de\\s+)?(\\d{4})${TIME}`,
  "iu",
);
const NAME_AND_DAY = new RegExp(`^(\\p{L}+)\\.?\\s+(\\d{1,2})(?:st|nd|rd|th)?,?\\s+(\\d{4})${TIME}`, "iu");
const SECONDS = /^\d{9,10}$/;

const LANGUAGES = ["en", "de", "fr", "es", "it", "pt", "nl", "pl", "sv", "da", "nb", "fi", "cs", "tr", "ru", "uk"];

/** The numbers of months by their long and short names in some languages. Built when a date contains a name. */
let months: ReadonlyMap<string, number> | undefined;

const plain = (name: string): string => name.toLowerCase().replace(/\.$/, "");

const monthsByName = (): ReadonlyMap<string, number> =>
  new Map(
    LANGUAGES.flatMap((language) =>
      (["long", "short"] as const).flatMap((month) => {
        const format = new Intl.DateTimeFormat(language, { day: "numeric", month, timeZone: "UTC" });
        return Array.from({ length: 12 }, (_, n) => {
          const part = format.formatToParts(Date.UTC(2026, n, 1)).find(({ type }) => type === "month");
          return [plain(part?.value ?? ""), n + 1] as const;
        });
      }),
    ),
  );

function monthOf(name: string): number {
  months ??= monthsByName();
  return months.get(plain(name)) ?? 0;
}

function dayOf(year: string | number, month: string | number, day: string | number): string[] {
  const moment = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  const isDay = moment.getUTCMonth() === Number(month) - 1 && moment.getUTCDate() === Number(day);
  return isDay ? [moment.toISOString().slice(0, 10)] : [];
}

/**
 * Returns the possible days of a text such as 2026-12-24: none if it is not a date, two if day and month are ambiguous.
 */
export function datesIn(text: string): string[] {
  const days = [parseDay(text, "day first"), parseDay(text, "month first")].filter((day) => day !== null);
  return [...new Set(days)];
}

/** The day of a text in a given order, or null if it is not a date. In a date with points, the day comes first. */
export function parseDay(text: string, order: DateOrder): string | null {
  return readIn(text, order)[0] ?? readIn(text, other(order))[0] ?? null;
}

const other = (order: DateOrder): DateOrder => (order === "day first" ? "month first" : "day first");

function readIn(text: string, order: DateOrder): string[] {
  if (SECONDS.test(text)) return [new Date(Number(text) * 1000).toISOString().slice(0, 10)];
  const [, year, month = "", day = ""] = YEAR_FIRST.exec(text) ?? [];
  if (year) return dayOf(year, month, day);
  const [, first, separator, second = "", lastYear = ""] = YEAR_LAST.exec(text) ?? [];
  if (first) {
    const isDayFirst = order === "day first" || separator === ".";
    return isDayFirst ? dayOf(lastYear, second, first) : dayOf(lastYear, first, second);
  }
  const [, dayBefore, name = "", yearOfName = ""] = DAY_AND_NAME.exec(text) ?? [];
  if (dayBefore) return dayOf(yearOfName, monthOf(name), dayBefore);
  const [, nameBefore, dayBehind = "", yearBehind = ""] = NAME_AND_DAY.exec(text) ?? [];
  return nameBefore ? dayOf(yearBehind, monthOf(nameBefore), dayBehind) : [];
}

/** Returns the order proved by a date with a number above 12. */
export function orderIn(text: string): DateOrder | null {
  const [, first, separator, second] = YEAR_LAST.exec(text) ?? [];
  if (!first || separator === ".") return null;
  if (Number(first) > 12 && Number(second) <= 12) return "day first";
  return Number(second) > 12 && Number(first) <= 12 ? "month first" : null;
}
