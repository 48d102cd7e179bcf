import fc from "fast-check";
import { expect, it } from "vitest";
import {
  before,
  commonSpans,
  daysOf,
  lastDays,
  periodsOf,
  yearBefore,
} from "../../../../src/back-office/sales/report.ts";
import { addDays } from "../../../../src/domain/time.ts";

const spans = fc
  .record({ start: fc.integer({ min: 0, max: 40_000 }), length: fc.integer({ min: 1, max: 800 }) })
  .map(({ start, length }) => ({ from: addDays("1970-01-01", start), to: addDays("1970-01-01", start + length - 1) }));

it("combines whole months and single days for any span, each day once", () => {
  fc.assert(
    fc.property(spans, (span) => {
      const days = periodsOf(span).flatMap((period) =>
        period.length === 10 ? [period] : daysOf({ from: `${period}-01`, to: lastOf(period) }),
      );
      expect(days).toEqual(daysOf(span));
    }),
  );
});

const lastOf = (month: string): string =>
  new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 0)).toISOString().slice(0, 10);

it("reads whole months as one", () => {
  expect(periodsOf({ from: "2026-01-31", to: "2026-03-01" })).toEqual(["2026-01-31", "2026-02", "2026-03-01"]);
  expect(periodsOf({ from: "2024-02-01", to: "2024-02-28" })).toHaveLength(28);
});

it("compares a span with the same number of days before it", () => {
  expect(before({ from: "2026-03-01", to: "2026-03-30" })).toEqual({ from: "2026-01-30", to: "2026-02-28" });
  const now = Date.parse("2026-03-01T23:59:59.999Z");
  expect(lastDays(1, now)).toEqual({ from: "2026-03-01", to: "2026-03-01" });
  expect(lastDays(7, now)).toEqual({ from: "2026-02-23", to: "2026-03-01" });
});

it("names spans as people do, across the ends of months and years", () => {
  expect(commonSpans(Date.parse("2026-01-01T12:00:00Z"))).toMatchObject({
    Today: { from: "2026-01-01", to: "2026-01-01" },
    Yesterday: { from: "2025-12-31", to: "2025-12-31" },
    "This month": { from: "2026-01-01", to: "2026-01-01" },
    "Last month": { from: "2025-12-01", to: "2025-12-31" },
    "This year": { from: "2026-01-01", to: "2026-01-01" },
  });
  expect(commonSpans(Date.parse("2024-03-31T12:00:00Z"))).toMatchObject({
    "Last month": { from: "2024-02-01", to: "2024-02-29" },
    "7 days": { from: "2024-03-25", to: "2024-03-31" },
  });
});

it("compares with the same dates of the year before, also on a leap day", () => {
  expect(yearBefore({ from: "2024-02-01", to: "2024-02-29" })).toEqual({ from: "2023-02-01", to: "2023-02-28" });
  expect(yearBefore({ from: "2026-12-31", to: "2026-12-31" })).toEqual({ from: "2025-12-31", to: "2025-12-31" });
});
