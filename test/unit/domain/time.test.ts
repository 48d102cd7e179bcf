import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { daysOfZone } from "../../../src/domain/fields.ts";
import {
  DAY_MS,
  dayIn,
  formatLongMoment,
  HOUR_MS,
  localTime,
  momentOf,
  offsetAt,
  offsetsIn,
  startOfDay,
  TimeZone,
} from "../../../src/domain/time.ts";

const at = (iso: string) => Date.parse(iso);

const [FROM, TO] = [at("2020-01-01T00:00Z"), at("2030-01-01T00:00Z")];
const zones = ["UTC", ...Intl.supportedValuesOf("timeZone")];

/** A time in a zone. Half of them are within an hour of a clock change. */
const moments = fc.constantFrom(...zones).chain((zone) => {
  const changes = offsetsIn(zone, FROM, TO).map(([from]) => from);
  const near = fc
    .tuple(fc.constantFrom(...changes), fc.integer({ min: -HOUR_MS, max: HOUR_MS }))
    .map(([change, later]) => change + later);
  return fc.record({ zone: fc.constant(zone), at: fc.oneof(fc.integer({ min: FROM, max: TO }), near) });
});

describe("a time zone", () => {
  it("reads a clock time back as the same moment, in a repeated hour as the first", () => {
    fc.assert(
      fc.property(moments, ({ zone, at }) => {
        const shown = localTime(zone, at);
        const read = momentOf(zone, shown);
        expect(localTime(zone, read)).toBe(shown);
        expect(read).toBeLessThanOrEqual(at);
        expect(at - read).toBeLessThan(3 * HOUR_MS + 60_000);
      }),
    );
  });

  it("has days that begin where the previous one ends, each with the times that clocks show on it", () => {
    fc.assert(
      fc.property(moments, ({ zone, at }) => {
        const day = dayIn(zone, at);
        const next = dayIn("UTC", at + offsetAt(zone, at) + DAY_MS);
        expect(startOfDay(zone, day)).toBeLessThanOrEqual(at);
        expect(startOfDay(zone, next)).toBeGreaterThan(at);
      }),
    );
  });

  it("has the offset of its last clock change", () => {
    fc.assert(
      fc.property(moments, ({ zone, at }) => {
        const [, offset] = offsetsIn(zone, FROM - DAY_MS, TO).findLast(([from]) => from <= at) ?? [];
        expect(offset).toBe(offsetAt(zone, at));
      }),
    );
  });
});

describe("the clocks of a zone", () => {
  it.each([
    ["Europe/Berlin", "2026-03-29T02:30", "2026-03-29T01:30:00.000Z", "skip the hour after 2"],
    ["Europe/Berlin", "2026-10-25T02:30", "2026-10-25T00:30:00.000Z", "show the hour after 2 twice"],
    ["America/Sao_Paulo", "2018-11-04T00:30", "2018-11-04T03:30:00.000Z", "skip the hour after midnight"],
    ["Asia/Kathmandu", "2026-01-01T00:00", "2025-12-31T18:15:00.000Z", "are 5:45 ahead"],
    ["Australia/Lord_Howe", "2026-04-05T01:45", "2026-04-04T14:45:00.000Z", "go back by half an hour"],
    ["Pacific/Apia", "2011-12-30T12:00", "2011-12-30T22:00:00.000Z", "skip a whole day"],
  ])("in %s read %s as %s: they %s", (zone, typed, moment) => {
    expect(new Date(momentOf(zone, typed)).toISOString()).toBe(moment);
  });

  it("are named with a time", () => {
    const moment = at("2030-01-31T12:00Z");
    expect(formatLongMoment(moment, "UTC")).toBe("31 January 2030 at 12:00 UTC");
    expect(formatLongMoment(moment, "Europe/Berlin")).toBe("31 January 2030 at 13:00 CET");
  });
});

it("accepts only IANA names, in their exact spelling", () => {
  expect(TimeZone.parse("europe/berlin")).toBe("Europe/Berlin");
  for (const name of [
    "Mars/Olympus",
    "+01:00",
    "−05:00",
    "",
    "UTC+1",
    "Europe/Berlin ",
    "a".repeat(61),
    "'; DROP TABLE shop",
  ]) {
    expect(TimeZone.safeParse(name).success, name).toBe(false);
  }
});

it("converts days of a list to moments of a zone, and leaves invalid days to its schema", () => {
  const now = at("2026-10-26T12:00Z");
  const inBerlin = (filters: Record<string, string>) => daysOfZone(filters, "Europe/Berlin", now);
  expect(inBerlin({ from: "2026-10-25", to: "2026-10-25", search: "Ada" })).toEqual({
    from: "2026-10-24T22:00:00.000Z",
    to: "2026-10-25T23:00:00.000Z",
    search: "Ada",
  });
  expect(inBerlin({ days: "2" })).toEqual({ from: "2026-10-24T22:00:00.000Z" });
  expect(inBerlin({ from: "2026-13-45", days: "0" })).toEqual({ from: "2026-13-45", days: "0" });
  expect(inBerlin({ from: "2026-10-25", days: "7" })).toMatchObject({ days: "7" });
});
