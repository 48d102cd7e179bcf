import fc from "fast-check";
import { expect, it } from "vitest";
import { UsageCounter } from "../../../../src/platform/rate-limit/usage.ts";

const MINUTE = 60_000;
const START = 1_700_000_040_000;

type Step = { gap: number; admitted: boolean; evicted: boolean };

/** Bursts, quiet minutes, and pauses around the ends of a minute and an hour. The clock may run backwards. */
const steps = fc.array(
  fc.record({
    gap: fc.oneof(
      fc.constantFrom(0, 1, 59_999, MINUTE, 60_001, 59 * MINUTE, 60 * MINUTE - 1, 60 * MINUTE, 61 * MINUTE),
      fc.nat(5_000),
      fc.nat(3 * MINUTE),
      fc.integer({ min: -2 * MINUTE, max: -1 }),
    ),
    admitted: fc.boolean(),
    evicted: fc.boolean(),
  }),
  { maxLength: 150 },
);

const minuteOf = (moment: number) => Math.floor(moment / MINUTE) * MINUTE;

/** The reference model: it keeps every request forever, at the latest time seen. */
function replay(
  sequence: Step[],
  look: (latest: number, seen: { at: number; admitted: boolean }[], usage: UsageCounter) => void,
) {
  const seen: { at: number; admitted: boolean }[] = [];
  let usage = new UsageCounter();
  let [now, latest] = [START, 0];
  for (const { gap, admitted, evicted } of sequence) {
    now += gap;
    latest = Math.max(latest, now);
    if (evicted) usage = UsageCounter.restore(structuredClone(usage.state));
    usage.add(admitted, now);
    seen.push({ at: latest, admitted });
    look(latest, seen, usage);
  }
}

it("reports every request of the last 60 minutes in its minute, and none older", () => {
  fc.assert(
    fc.property(steps, (sequence) => {
      replay(sequence, (latest, seen, usage) => {
        const minutes = usage.report(latest);
        expect(minutes.map(({ at }) => at)).toEqual(
          Array.from({ length: 60 }, (_, index) => minuteOf(latest) - (59 - index) * MINUTE),
        );
        for (const { at, admitted, refused } of minutes) {
          const within = seen.filter((request) => minuteOf(request.at) === at);
          expect(admitted).toBe(within.filter((request) => request.admitted).length);
          expect(refused).toBe(within.filter((request) => !request.admitted).length);
        }
      });
    }),
    { numRuns: 200 },
  );
});

it("is empty from the time that it reports nothing", () => {
  fc.assert(
    fc.property(steps, fc.nat(130 * MINUTE), (sequence, later) => {
      replay(sequence, (latest, _, usage) => {
        const told = usage.report(latest + later).some(({ admitted, refused }) => admitted + refused > 0);
        expect(usage.isEmpty(latest + later)).toBe(!told);
      });
    }),
  );
  expect(new UsageCounter().isEmpty(START)).toBe(true);
});

it("never has more than an entry per minute", () => {
  const usage = new UsageCounter();
  for (let second = 0; second < 10_000; second++) {
    usage.add(second % 3 === 0, START + second * 1_000);
    expect(usage.state.length).toBeLessThanOrEqual(60);
  }
});

it("does not change when it is read", () => {
  fc.assert(
    fc.property(steps, fc.nat(130 * MINUTE), (sequence, later) => {
      replay(sequence, (latest, _, usage) => {
        const before = structuredClone(usage.state);
        usage.report(latest + later);
        usage.isEmpty(latest + later);
        expect(usage.state).toEqual(before);
      });
    }),
    { numRuns: 20 },
  );
});
