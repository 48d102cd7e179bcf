import { DAY_MS } from "../../../domain/time.ts";

/** Wrong passwords in a row without a delay, for typing errors. */
const FREE = 5;

/** Delay of the sixth attempt; doubles with each further one up to a maximum. */
const FIRST_DELAY_MS = 30_000;
const LONGEST_DELAY_MS = 15 * 60_000;

/** Time after the last failure for which failures count. */
const FORGIVEN_MS = DAY_MS;

/** Time for which an origin is known after signing in, and the number of known origins. */
const KNOWN_MS = 90 * DAY_MS;
const MOST_KNOWN = 20;

/** Origins that never signed in share their attempts. */
const STRANGERS = "";

type Failures = { count: number; lastAt: number };

export type AttemptsState = { failures: [bucket: string, Failures][]; known: [origin: string, signedInAt: number][] };

/**
 * Sign-in attempts for one account. After five wrong passwords each attempt is delayed, longer each time. Origins that signed
 * in before have their own attempts, so that guessing strangers cannot lock the owner out. An attempt counts as a failure
 * until it succeeds, so that simultaneous ones count too. Times are epoch milliseconds.
 */
export class LoginAttempts {
  readonly #failures: Map<string, Failures>;
  readonly #known: Map<string, number>;

  constructor({ failures, known }: AttemptsState = { failures: [], known: [] }) {
    this.#failures = new Map(failures);
    this.#known = new Map(known);
  }

  /** Milliseconds the attempt has to wait; 0 admits it. A waiting attempt does not count. */
  take(origin: string | null, now: number): number {
    this.#forget(now);
    const bucket = this.#bucketOf(origin);
    const { count, lastAt } = this.#failures.get(bucket) ?? { count: 0, lastAt: now };
    const waitMs = Math.max(0, lastAt + delayAfter(count) - now);
    if (waitMs === 0) this.#failures.set(bucket, { count: count + 1, lastAt: now });
    return waitMs;
  }

  /** True if someone signed in from there recently. */
  knows(origin: string | null): boolean {
    return origin !== null && this.#known.has(origin);
  }

  /** The password was correct: forgets the origin's failures and gives it attempts of its own. */
  succeed(origin: string | null, now: number): void {
    this.#failures.delete(this.#bucketOf(origin));
    if (origin === null) return;
    this.#known.delete(origin);
    this.#known.set(origin, now);
    for (const oldest of [...this.#known.keys()].slice(0, -MOST_KNOWN)) this.#known.delete(oldest);
  }

  /** Forgets everything: the address has a new owner, who signed in from `origin`. */
  reset(origin: string | null, now: number): void {
    this.#failures.clear();
    this.#known.clear();
    this.succeed(origin, now);
  }

  /** Time at which all data can be deleted. */
  get endsAt(): number {
    const failures = [...this.#failures.values()].map(({ lastAt }) => lastAt + FORGIVEN_MS);
    const known = [...this.#known.values()].map((signedInAt) => signedInAt + KNOWN_MS);
    return Math.max(0, ...failures, ...known);
  }

  get state(): AttemptsState {
    return { failures: [...this.#failures], known: [...this.#known] };
  }

  #bucketOf(origin: string | null): string {
    return origin !== null && this.#known.has(origin) ? origin : STRANGERS;
  }

  /** If the clock ran backwards, nobody waits longer than after a failure now. */
  #forget(now: number): void {
    for (const [bucket, failures] of this.#failures) {
      failures.lastAt = Math.min(failures.lastAt, now);
      if (failures.lastAt + FORGIVEN_MS <= now) this.#failures.delete(bucket);
    }
    for (const [origin, signedInAt] of this.#known) {
      if (signedInAt + KNOWN_MS <= now) this.#known.delete(origin);
    }
  }
}

const delayAfter = (failures: number): number =>
  failures < FREE ? 0 : Math.min(FIRST_DELAY_MS * 2 ** (failures - FREE), LONGEST_DELAY_MS);
