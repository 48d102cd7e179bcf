import fc from "fast-check";
import { expect, it } from "vitest";
import {
  RESERVED_MS,
  type ReservedState,
  ReservedWindow,
} from "../../../../src/platform/rate-limit/reserved-window.ts";

const MINUTE = 60_000;
const START = 1_700_000_000_000;

/** Requests, and between them: a write that arrives, an object that dies, time that passes. */
type Step = { gap: number; requests: number; end: "confirms" | "dies" | "goes on"; skew: number };

const steps = fc.array(
  fc.record({
    gap: fc.oneof(
      fc.constantFrom(0, 1, RESERVED_MS / 2, RESERVED_MS, RESERVED_MS + 1, MINUTE - 1, MINUTE, MINUTE + 1_001),
      fc.nat(500),
      fc.nat(10_000),
    ),
    requests: fc.nat(12),
    end: fc.constantFrom("confirms", "dies", "goes on"),
    skew: fc.nat(1_000),
  }),
  { maxLength: 60 },
);

/** Admits what is covered by what was stored: an object that dies goes on with that, on a machine with another clock. */
function replay(sequence: Step[], limit: number): number[] {
  const admitted: number[] = [];
  let window = new ReservedWindow(MINUTE);
  let stored: ReservedState | undefined;
  let [at, skew] = [START, 0];
  for (const step of sequence) {
    at += step.gap;
    let ahead: ReservedState | undefined;
    for (let request = 0; request < step.requests; request++) {
      const taken = window.take(limit, at + skew);
      if (taken.write !== "none") {
        const state = window.toStore(at + skew);
        stored = structuredClone(state);
        ahead = taken.write === "ahead" ? state : undefined;
      }
      if (taken.admitted) admitted.push(at);
    }
    if (step.end === "confirms" && ahead) window.confirm(ahead);
    if (step.end !== "dies") continue;
    window = stored ? ReservedWindow.restore(MINUTE, structuredClone(stored)) : new ReservedWindow(MINUTE);
    skew = step.skew;
  }
  return admitted;
}

it("never admits more than the limit in any 60 s, however often its object dies", () => {
  fc.assert(
    fc.property(steps, fc.constantFrom(1, 5, 30), (sequence, limit) => {
      const admitted = replay(sequence, limit);
      for (const [index, at] of admitted.entries()) {
        const first = admitted[index - limit];
        if (first !== undefined) expect(at - first).toBeGreaterThanOrEqual(MINUTE);
      }
    }),
    { numRuns: 2_000 },
  );
});

it("counts what was reserved as used, from the last moment at which it could have been", () => {
  const window = new ReservedWindow(MINUTE);
  window.take(100, START);
  const stored = window.toStore(START);
  expect(stored.reserved).toBeGreaterThan(0);
  const next = ReservedWindow.restore(MINUTE, structuredClone(stored));
  expect(next.used(START + 10)).toBe(1 + stored.reserved);
  expect(next.used(stored.until + MINUTE)).toBe(stored.reserved);
  expect(next.used(stored.until + MINUTE + 1_000)).toBe(0);
});

it("loses nothing once it has stored what was really used", () => {
  const window = new ReservedWindow(MINUTE);
  window.take(100, START);
  window.toStore(START);
  expect(window.needsSettling).toBe(true);
  const settled = window.toStore(window.reservedUntil + 1);
  expect([settled.reserved, window.needsSettling]).toEqual([0, false]);
  expect(ReservedWindow.restore(MINUTE, settled).used(START + 10_000)).toBe(1);
});

it("waits for a write once and writes once for more than twenty requests, at its full rate for ten minutes", () => {
  const window = new ReservedWindow(MINUTE);
  const writes: string[] = [];
  let admitted = 0;
  for (let request = 0; request < 10_000; request++) {
    const at = START + 60 * request;
    const taken = window.take(1_000, at);
    if (taken.admitted) admitted++;
    if (taken.write === "none") continue;
    writes.push(taken.write);
    const state = window.toStore(at);
    if (taken.write === "ahead") window.confirm(state);
  }
  expect(admitted).toBeGreaterThan(9_000);
  expect(writes.filter((write) => write === "first")).toHaveLength(1);
  expect(writes.length).toBeLessThanOrEqual(admitted / 20);
});

it("spends nothing of what is stored ahead of time before that is confirmed", () => {
  const window = new ReservedWindow(MINUTE);
  const writes: string[] = [];
  for (let request = 0; request < 40; request++) {
    const { write } = window.take(100, START);
    if (write !== "none") window.toStore(START);
    writes.push(write);
  }
  const reservedFirst = writes.indexOf("first", 1);
  expect(writes.indexOf("ahead")).toBeLessThan(reservedFirst);
});

it("withdraws what it gives up, also what is on its way to the storage", () => {
  const window = new ReservedWindow(MINUTE);
  let ahead: ReservedState | undefined;
  for (let request = 0; !ahead && request < 100; request++) {
    const { write } = window.take(100, START);
    if (write === "none") continue;
    const state = window.toStore(START);
    if (write === "ahead") ahead = state;
  }
  window.shrink(0);
  if (ahead) window.confirm(ahead);
  expect(window.toStore(START).reserved).toBe(0);
});

it("counts what was given back as used after an unclean end, unless that was stored", () => {
  const window = new ReservedWindow(MINUTE);
  window.take(3, START);
  const before = structuredClone(window.toStore(START));
  expect(window.needsSettling).toBe(true);
  const settledAt = START + RESERVED_MS + 1;
  window.toStore(settledAt);
  expect(window.needsSettling).toBe(false);
  window.giveBack();
  expect([window.needsSettling, window.used(settledAt)]).toEqual([true, 0]);
  expect(ReservedWindow.restore(MINUTE, before).used(settledAt)).toBeGreaterThan(0);
  expect(ReservedWindow.restore(MINUTE, structuredClone(window.toStore(settledAt))).used(settledAt)).toBe(0);
  expect(window.needsSettling).toBe(false);
});
