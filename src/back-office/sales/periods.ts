const DAY_MS = 86_400_000;

/** A span of days, "2026-10-05", both ends included, in UTC. */
export type DaySpan = { from: string; to: string };

export const dayOf = (moment: number): string => new Date(moment).toISOString().slice(0, 10);

export const addDays = (day: string, days: number): string => dayOf(Date.parse(day) + days * DAY_MS);

export const lengthOf = ({ from, to }: DaySpan): number => (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;

/** The last so many days, today included. */
export const lastDays = (count: number, now: number): DaySpan => ({
  from: addDays(dayOf(now), 1 - count),
  to: dayOf(now),
});

/** The span of the same length just before. */
export const before = (span: DaySpan): DaySpan => ({
  from: addDays(span.from, -lengthOf(span)),
  to: addDays(span.from, -1),
});

export const daysOf = (span: DaySpan): string[] =>
  Array.from({ length: lengthOf(span) }, (_, index) => addDays(span.from, index));

const monthOf = (day: string): string => day.slice(0, 7);
const isFirstOfMonth = (day: string): boolean => day.endsWith("-01");
const isLastOfMonth = (day: string): boolean => isFirstOfMonth(addDays(day, 1));

/** Those that sums are kept by and that make up a span: months that are whole, and the days of others. */
export function periodsOf(span: DaySpan): string[] {
  const days = daysOf(span);
  const edges = days.map((day) => [day, monthOf(day)] as const);
  const begun = new Set(edges.filter(([day]) => isFirstOfMonth(day)).map(([, month]) => month));
  const ended = new Set(edges.filter(([day]) => isLastOfMonth(day)).map(([, month]) => month));
  return [...new Set(edges.map(([day, month]) => (begun.has(month) && ended.has(month) ? month : day)))];
}
