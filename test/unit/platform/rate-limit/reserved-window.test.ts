import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  mostReserved,
  RESERVED_MS,
  type ReservedState,
  ReservedWindow,
  SKEW_MS,
} from "../../../../src/platform/rate-limit/reserved-window.ts";

const MINUTE = 60_000;
const START = 1_700_000_000_000;

/** Requests, followed by stored writes, an object that dies, or time that passes. */
type Step = { gap: number; requests: number; end: "stores" | "dies" | "goes on"; arrived: number; skew: number };

const steps = fc.array(
  fc.record({
    gap: fc.oneof(
      fc.constantFrom(0, 1, RESERVED_MS / 2, RESERVED_MS, RESERVED_MS + 1, MINUTE - 1, MINUTE, MINUTE + 1_001),
      fc.nat(500),
      fc.nat(10_000),
    ),
    requests: fc.oneof(fc.nat(12), fc.nat(60)),
    end: fc.constantFrom("stores", "dies", "goes on"),
    arrived: fc.nat(5),
    skew: fc.nat(SKEW_MS),
  }),
  { maxLength: 60 },
);

/**
 * A window and its storage. Writes arrive in order and late, and no response leaves before its own write has arrived.
 */
class Model {
  readonly #limit: number;
  #window = new ReservedWindow(MINUTE);
  #stored: ReservedState | undefined;
  #pending: { state: ReservedState; copy: ReservedState }[] = [];
  #waiting: { at: number; write: ReservedState | undefined }[] = [];
  #skew = 0;
  /** Times of all counted requests, times of the answered ones, and times when the object died. */
  readonly taken: number[] = [];
  readonly answered: number[] = [];
  readonly deaths: number[] = [];
  writes = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  request(at: number): boolean {
    const taken = this.#window.take(this.#limit, at + this.#skew);
    if (taken.write !== "none") this.#write(at);
    if (!taken.admitted) return false;
    this.taken.push(at);
    const write = taken.write === "first" ? this.#pending.at(-1)?.state : this.#waiting.at(-1)?.write;
    this.#waiting.push({ at, write });
    if (write === undefined) this.#answer();
    return true;
  }

  /** Sends the requests of a burst or a slow caller. Returns the number admitted. */
  requests(count: number, at: number, gapMs = 0): number {
    let admitted = 0;
    for (let index = 0; index < count; index++) {
      if (this.request(at + index * gapMs)) admitted++;
      this.store();
    }
    return admitted;
  }

  store(count = this.#pending.length): void {
    for (const { state, copy } of this.#pending.splice(0, count)) {
      this.#stored = copy;
      this.#window.confirm(state);
      for (const waiting of this.#waiting) if (waiting.write === state) waiting.write = undefined;
    }
    this.#answer();
  }

  /**
   * Kills the object. `arrived` of the pending writes still arrive, and a new object continues from the stored state.
   */
  die(at: number, arrived = 0, skew = 0): void {
    this.store(arrived);
    this.#pending = [];
    this.#waiting = [];
    this.#skew = skew;
    this.#window = this.#stored
      ? ReservedWindow.restore(MINUTE, at + skew, structuredClone(this.#stored))
      : new ReservedWindow(MINUTE);
    this.deaths.push(at);
  }

  #write(at: number): void {
    const state = this.#window.toStore(at + this.#skew);
    this.#pending.push({ state, copy: structuredClone(state) });
    this.writes++;
  }

  #answer(): void {
    const first = this.#waiting.findIndex(({ write }) => write !== undefined);
    const ready = this.#waiting.splice(0, first < 0 ? this.#waiting.length : first);
    this.answered.push(...ready.map(({ at }) => at));
  }
}

function replay(
  sequence: Step[],
  limit: number,
  onRefused: (model: Model, at: number) => void = () => undefined,
): Model {
  const model = new Model(limit);
  let at = START;
  for (const { gap, requests, end, arrived, skew } of sequence) {
    at += gap;
    for (let request = 0; request < requests; request++) if (!model.request(at)) onRefused(model, at);
    if (end === "stores") model.store();
    if (end === "dies") model.die(at, arrived, skew);
  }
  return model;
}

it("never admits more than the limit in any 60 s, however often its object dies", () => {
  fc.assert(
    fc.property(steps, fc.constantFrom(1, 5, 30, 100), (sequence, limit) => {
      const { answered } = replay(sequence, limit);
      for (const [index, at] of answered.entries()) {
        const first = answered[index - limit];
        if (first !== undefined) expect(at - first).toBeGreaterThanOrEqual(MINUTE);
      }
    }),
    { numRuns: 5_000 },
  );
});

it("refuses only if the limit was reached, less a tenth for each death, within 61 s and two more for each", () => {
  fc.assert(
    fc.property(steps, fc.constantFrom(1, 5, 30, 100), (sequence, limit) => {
      replay(sequence, limit, ({ taken, deaths }, at) => {
        const spanMs = MINUTE + MINUTE / 60 + 2 * SKEW_MS * deaths.length;
        const since = (times: number[], ms: number) => times.filter((time) => time > at - ms).length;
        const lost = mostReserved(limit) * since(deaths, spanMs + RESERVED_MS);
        expect(since(taken, spanMs) + lost).toBeGreaterThanOrEqual(limit);
      });
    }),
    { numRuns: 1_000 },
  );
});

describe("a death costs at most a tenth of the limit", () => {
  it.each([
    ["37 of 100", 100, 37, 0],
    ["40 of 100", 100, 40, 0],
    ["400 of 1,000", 1_000, 400, 0],
    ["37 of 100, one a second", 100, 37, 1_000],
    ["40 of 100 at the full rate", 100, 40, 600],
    ["400 of 1,000 at the full rate", 1_000, 400, 60],
    ["5 of 100, one in five seconds", 100, 5, 5_000],
    ["the first of 100", 100, 1, 0],
    ["7 of 20", 20, 7, 0],
    ["1 of 3", 3, 1, 0],
  ])("after %s", (_, limit, used, gapMs) => {
    const model = new Model(limit);
    model.requests(used, START, gapMs);
    const diedAt = START + used * gapMs;
    model.die(diedAt);
    const admitted = model.requests(limit, diedAt);
    expect(admitted).toBeGreaterThanOrEqual(limit - used - mostReserved(limit));
    expect(admitted).toBeLessThanOrEqual(limit - used);
  });

  it("at any request of a minute, whether the pending write arrives or not", () => {
    for (const arrived of [0, 1, 2]) {
      for (let used = 1; used <= 100; used++) {
        const model = new Model(100);
        model.requests(used - 1, START);
        model.request(START);
        model.die(START, arrived);
        const admitted = model.requests(100, START);
        expect(admitted).toBeGreaterThanOrEqual(100 - used - 10);
        expect(model.answered.length).toBeLessThanOrEqual(100);
      }
    }
  });

  it("each time, when it dies twice in the same minute", () => {
    const model = new Model(100);
    model.requests(37, START);
    model.die(START);
    model.requests(5, START + 1_000);
    model.die(START + 2_000);
    expect(model.requests(100, START + 3_000)).toBeGreaterThanOrEqual(100 - 37 - 5 - 20);
  });

  it("until the reservation has been over for a minute", () => {
    const model = new Model(100);
    model.requests(37, START);
    model.die(START);
    expect(model.requests(100, START + RESERVED_MS + MINUTE + SKEW_MS)).toBe(100);
  });
});

it("admits requests after a death by their own time, not by the reservation's end", () => {
  const model = new Model(100);
  model.requests(1, START);
  model.die(START);
  model.requests(89, START + 10);
  expect(model.requests(100, START + 10 + MINUTE)).toBeGreaterThanOrEqual(89);
});

it("counts nothing for more than a minute if the clock ran back", () => {
  const window = new ReservedWindow(MINUTE);
  for (let request = 0; request < 50; request++) window.take(100, START);
  const stored = structuredClone(window.toStore(START));
  const now = START - 600_000;
  const restored = ReservedWindow.restore(MINUTE, now, stored);
  expect(restored.used(now)).toBe(50 + stored.reserved);
  expect(restored.used(now + RESERVED_MS + SKEW_MS + MINUTE)).toBe(0);
});

it("counts a reservation as used, from the last time at which it could have been", () => {
  const window = new ReservedWindow(MINUTE);
  window.take(100, START);
  window.take(100, START);
  const stored = window.toStore(START);
  expect(stored.reserved).toBeGreaterThan(0);
  const next = ReservedWindow.restore(MINUTE, START, structuredClone(stored));
  expect(next.used(START + 10)).toBe(2 + stored.reserved);
  expect(next.used(stored.until + MINUTE)).toBe(stored.reserved);
  expect(next.used(stored.until + MINUTE + 1_000)).toBe(0);
});

it("loses nothing once it has stored the actual usage", () => {
  const window = new ReservedWindow(MINUTE);
  window.take(100, START);
  window.take(100, START);
  window.toStore(START);
  expect(window.needsSettling).toBe(true);
  const settled = window.toStore(window.reservedUntil + 1);
  expect([settled.reserved, window.needsSettling]).toEqual([0, false]);
  expect(ReservedWindow.restore(MINUTE, START + 10_000, settled).used(START + 10_000)).toBe(2);
});

it("waits for two writes and writes once for more than twenty requests, at its full rate for ten minutes", () => {
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
  expect(writes.filter((write) => write === "first")).toHaveLength(2);
  expect(writes.length).toBeLessThanOrEqual(admitted / 20);
});

it("loses nothing of requests that are 2 s apart or more, because each is stored without a reservation", () => {
  const model = new Model(100);
  model.requests(20, START, 2_000);
  model.die(START + 40_000);
  expect(model.requests(100, START + 40_000)).toBe(80);
});

it("spends nothing from a reservation made in advance before it is confirmed", () => {
  const window = new ReservedWindow(MINUTE);
  const writes: string[] = [];
  for (let request = 0; request < 40; request++) {
    const { write } = window.take(100, START);
    if (write !== "none") window.toStore(START);
    writes.push(write);
  }
  const reservedFirst = writes.indexOf("first", 2);
  expect(writes.indexOf("ahead")).toBeLessThan(reservedFirst);
});

it("withdraws what it gives up, including pending writes", () => {
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

it("counts returned quota as used after an unclean end, unless the return was stored", () => {
  const window = new ReservedWindow(MINUTE);
  window.take(3, START);
  const before = structuredClone(window.toStore(START));
  expect(window.needsSettling).toBe(false);
  window.giveBack();
  expect([window.needsSettling, window.used(START)]).toEqual([true, 0]);
  expect(ReservedWindow.restore(MINUTE, START, before).used(START)).toBe(1);
  expect(ReservedWindow.restore(MINUTE, START, structuredClone(window.toStore(START))).used(START)).toBe(0);
  expect(window.needsSettling).toBe(false);
});
