import { DAY_MS } from "../../../domain/durations.ts";

/** Wrong passwords in a row that cost nothing: people mistype. */
const FREE = 5;

/** How long the sixth attempt waits; each later one twice as long, up to the longest. */
const FIRST_DELAY_MS = 30_000;
const LONGEST_DELAY_MS = 15 * 60_000;

/** How long failures count after the last one. */
const FORGIVEN_MS = DAY_MS;

/** How long an origin is known after it signed in, and how many are known: those that signed in last. */
const KNOWN_MS = 90 * DAY_MS;
const MOST_KNOWN = 20;

/** Where those origins share their attempts that never signed in. */
const STRANGERS = "";

type Failures = { count: number; lastAt: number };

export type AttemptsState = { failures: [bucket: string, Failures][]; known: [origin: string, signedInAt: number][] };

/**
 * The attempts to sign in to one account. After five wrong passwords each further attempt waits, longer each time. Origins
 * that signed in before have attempts of their own: strangers who guess cannot lock the owner out. An attempt is a failure
 * until it succeeds, so that those of one instant count too. Times are epoch milliseconds.
 */
export class LoginAttempts {
  readonly #failures: Map<string, Failures>;
  readonly #known: Map<string, number>;

  constructor({ failures, known }: AttemptsState = { failures: [], known: [] }) {
    this.#failures = new Map(failures);
    this.#known = new Map(known);
  }

  /** How many milliseconds the attempt has to wait: 0 lets it through. One that has to wait does not count. */
  take(origin: string | null, now: number): number {
    this.#forget(now);
    const bucket = this.#bucketOf(origin);
    const { count, lastAt } = this.#failures.get(bucket) ?? { count: 0, lastAt: now };
    const waitMs = Math.max(0, lastAt + delayAfter(count) - now);
    if (waitMs === 0) this.#failures.set(bucket, { count: count + 1, lastAt: now });
    return waitMs;
  }

  /** Whether somebody signed in from there lately. */
  knows(origin: string | null): boolean {
    return origin !== null && this.#known.has(origin);
  }

  /** The password was right: the origin's failures are forgotten, and it has attempts of its own from now on. */
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

  /** When there is nothing left to remember. */
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

  /** Where the clock ran back, nobody waits for longer than if the last failure were now. */
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
