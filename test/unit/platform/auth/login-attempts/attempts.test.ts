import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type AttemptsState, LoginAttempts } from "../../../../../src/platform/auth/login-attempts/attempts.ts";

const NOW = 1_700_000_000_000;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const HOME = "192.0.2.1";

const restored = (attempts: LoginAttempts) => new LoginAttempts(structuredClone<AttemptsState>(attempts.state));

/** Enters wrong passwords until the next has to wait. Returns the wait. */
function exhaust(attempts: LoginAttempts, origin: string | null, now = NOW): number {
  for (;;) {
    const waitMs = attempts.take(origin, now);
    if (waitMs > 0) return waitMs;
  }
}

describe("the attempts to sign in to one account", () => {
  it("wait from the sixth on, each twice as long as the previous one, up to a quarter of an hour", () => {
    const attempts = new LoginAttempts();
    let now = NOW;
    for (let free = 0; free < 5; free++) expect(attempts.take("192.0.2.9", now)).toBe(0);
    const delays = Array.from({ length: 7 }, (_, index) => {
      const waitMs = attempts.take(`198.51.100.${index}`, now);
      expect(attempts.take(null, now + waitMs - 1)).toBe(1);
      now += waitMs;
      expect(attempts.take(null, now)).toBe(0);
      return waitMs / 1000;
    });
    expect(delays).toEqual([30, 60, 120, 240, 480, 900, 900]);
  });

  it("do not wait longer for being refused", () => {
    const attempts = new LoginAttempts();
    const waitMs = exhaust(attempts, null);
    for (let again = 0; again < 100; again++) expect(attempts.take(null, NOW)).toBe(waitMs);
  });

  it("reset when one succeeds, and a day after the last", () => {
    const [succeeded, waited] = [new LoginAttempts(), new LoginAttempts()];
    for (const attempts of [succeeded, waited]) exhaust(attempts, HOME);
    succeeded.succeed(HOME, NOW);
    for (let free = 0; free < 5; free++) expect(succeeded.take(HOME, NOW)).toBe(0);
    for (let free = 0; free < 5; free++) expect(waited.take(HOME, NOW + DAY_MS)).toBe(0);
    expect(waited.take(HOME, NOW + DAY_MS)).toBe(30_000);
  });

  it("of an origin that signed in before are counted separately from strangers' for ninety days", () => {
    const attempts = new LoginAttempts();
    attempts.succeed(HOME, NOW);
    for (let hour = 0; hour < 24; hour++) exhaust(attempts, `198.51.100.${hour}`, NOW + hour * 60 * MINUTE_MS);
    const now = NOW + DAY_MS;
    for (let free = 0; free < 5; free++) expect(attempts.take(HOME, now)).toBe(0);
    expect(attempts.take(HOME, now)).toBe(30_000);
    expect(exhaust(attempts, HOME, NOW + 90 * DAY_MS)).toBeGreaterThan(0);
    expect(restored(attempts).state.known).toEqual([]);
  });

  it("keep a stranger's failures counted when the owner signs in from a known origin", () => {
    const attempts = new LoginAttempts();
    attempts.succeed(HOME, NOW);
    const waitMs = exhaust(attempts, "198.51.100.1");
    attempts.take(HOME, NOW);
    attempts.succeed(HOME, NOW);
    expect(attempts.take("198.51.100.2", NOW)).toBe(waitMs);
  });

  it("remember the last twenty origins that signed in, and end when the last is forgotten", () => {
    const attempts = new LoginAttempts();
    for (let n = 0; n < 30; n++) attempts.succeed(`192.0.2.${n}`, NOW + n);
    expect(attempts.state.known.map(([origin]) => origin)).toEqual(
      Array.from({ length: 20 }, (_, n) => `192.0.2.${n + 10}`),
    );
    expect(attempts.endsAt).toBe(NOW + 29 + 90 * DAY_MS);
    expect(new LoginAttempts().endsAt).toBe(0);
  });

  it("admit at most five and one per delay, from anybody, at any time, through any eviction", () => {
    const steps = fc.array(
      fc.record({ gapMs: fc.integer({ min: 0, max: 20 * MINUTE_MS }), origin: fc.nat(50), evicted: fc.boolean() }),
      { maxLength: 300 },
    );
    fc.assert(
      fc.property(steps, (sequence) => {
        let attempts = new LoginAttempts();
        let [now, admitted] = [NOW, 0];
        for (const { gapMs, origin, evicted } of sequence) {
          now += gapMs;
          if (evicted) attempts = restored(attempts);
          if (attempts.take(`198.51.100.${origin}`, now) === 0) admitted++;
          const quarters = (now - NOW) / (15 * MINUTE_MS);
          expect(admitted).toBeLessThanOrEqual(5 + 5 + quarters);
        }
      }),
    );
  });
});

it("makes nobody wait longer if the clock ran back", () => {
  const now = 1_700_000_000_000;
  const attempts = new LoginAttempts();
  for (let attempt = 0; attempt < 6; attempt++) attempts.take(null, now);
  const hourBefore = now - 60 * 60_000;
  const waitMs = attempts.take(null, hourBefore);
  expect(waitMs).toBeLessThanOrEqual(60_000);
  expect(attempts.take(null, hourBefore + waitMs)).toBe(0);
});
