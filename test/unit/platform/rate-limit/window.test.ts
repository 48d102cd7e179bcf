import fc from "fast-check";
import { expect, it } from "vitest";
import { SlidingWindow } from "../../../../src/platform/rate-limit/window.ts";

type Step = { gap: number; limit: number; evicted: boolean };

/** Bursts, pauses around the ends of a bucket and the window, and limits that change in between. */
const steps = fc.array(
  fc.record({
    gap: fc.oneof(
      fc.constantFrom(0, 1, 999, 1000, 1001, 59_000, 59_999, 60_000, 60_001, 61_000),
      fc.nat(50),
      fc.nat(5_000),
    ),
    limit: fc.constantFrom(1, 3, 10, 25),
    evicted: fc.boolean(),
  }),
  { maxLength: 200 },
);

/** The reference model: it keeps every admitted request forever. */
function replay(sequence: Step[], look: (at: number, step: Step, admitted: number[], window: SlidingWindow) => void) {
  const admitted: number[] = [];
  let window = new SlidingWindow(60_000);
  let at = 1_700_000_000_000;
  for (const step of sequence) {
    at += step.gap;
    if (step.evicted) window = SlidingWindow.restore(60_000, structuredClone(window.state));
    look(at, step, admitted, window);
  }
}

const within = (admitted: number[], at: number, span: number) => admitted.filter((each) => each > at - span).length;

it("never admits more than the limit in any 60 s, nor refuses unless it was reached within 61 s", () => {
  fc.assert(
    fc.property(steps, (sequence) => {
      replay(sequence, (at, { limit }, admitted, window) => {
        if (window.take(limit, at).admitted) {
          admitted.push(at);
          expect(within(admitted, at, 60_000)).toBeLessThanOrEqual(limit);
        } else {
          expect(within(admitted, at, 61_000)).toBeGreaterThanOrEqual(limit);
        }
      });
    }),
    { numRuns: 1_000 },
  );
});

it("says exactly when more quota will be available", () => {
  fc.assert(
    fc.property(steps, (sequence) => {
      replay(sequence, (at, { limit }, _, window) => {
        const { remaining, resetMs } = window.take(limit, at);
        const remainingIn = (ms: number) => {
          const later = SlidingWindow.restore(60_000, structuredClone(window.state));
          const used = 1_000 - later.take(1_000, at + ms).remaining - 1;
          return Math.max(0, limit - used);
        };
        expect(resetMs).toBeLessThanOrEqual(60_000);
        expect(remainingIn(resetMs)).toBeGreaterThan(remaining);
        expect(remainingIn(resetMs - 1)).toBe(remaining);
      });
    }),
  );
});

it("does not grow with the limit", () => {
  const window = new SlidingWindow(60_000);
  for (let request = 0; request < 100_000; request++) window.take(1_000_000, request);
  expect(window.state.length).toBeLessThanOrEqual(62);
});

it("stands still while the clock runs back", () => {
  const window = new SlidingWindow(60_000);
  expect(window.take(1, 100_000).admitted).toBe(true);
  expect(window.take(1, 10_000)).toMatchObject({ admitted: false, resetMs: 60_000 });
  expect(window.take(1, 160_000).admitted).toBe(true);
});

it("forgets everything a minute after the last request", () => {
  const window = new SlidingWindow(60_000);
  window.take(5, 1_000);
  expect(window.used(60_999)).toBe(1);
  expect(window.used(61_000)).toBe(0);
});

it("forgets the newest request when it is returned, and nothing if there is none", () => {
  const window = new SlidingWindow(60_000);
  window.giveBack();
  for (const at of [0, 1, 30_000]) window.take(3, at);
  expect(window.take(3, 30_001).admitted).toBe(false);
  window.giveBack();
  expect([window.used(30_001), window.state]).toEqual([2, [[0, 1, 2]]]);
  window.giveBack();
  expect([window.used(30_001), window.take(3, 30_002).admitted, window.take(3, 30_003).remaining]).toEqual([
    1,
    true,
    0,
  ]);
  expect(window.used(60_001)).toBe(2);
});
