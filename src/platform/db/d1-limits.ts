import { MOST_VALUE_BYTES } from "../../domain/limits.ts";

// Limits of D1 that local SQLite lacks: https://developers.cloudflare.com/d1/platform/limits/

/** Queries after which an invocation begins no other slice of a job. The longest, refused down to single rows, takes less than 400. */
export const JOB_QUERIES = 500;

/** A UTF-16 code unit takes at most three bytes of UTF-8, so shorter text needs no encoding. */
const SHORT = MOST_VALUE_BYTES / 3;

const isBlob = (value: unknown) => value instanceof ArrayBuffer || ArrayBuffer.isView(value);

/** Refuses a value as D1 does, with SQLite's code. D1 itself refuses rows, and values that SQL builds. */
function requireFits(value: unknown): void {
  if (typeof value === "string" ? value.length <= SHORT : !isBlob(value)) return;
  const bytes = Buffer.byteLength(value);
  if (bytes > MOST_VALUE_BYTES)
    throw new Error(`A value has ${bytes} bytes, and D1 stores at most ${MOST_VALUE_BYTES}: SQLITE_TOOBIG`);
}

/**
 * Counts the queries of an invocation, so that long work ends in time and a later invocation continues. D1 allows 1,000, and a batch
 * may count each of its statements. What was begun before the limit is finished, so the limit is lower.
 */
export class QueryBudget {
  readonly #most: number;
  #share: number;
  made = 0;
  /** True if work was left since the last share was given. */
  isCut = false;

  constructor(most = Number.POSITIVE_INFINITY) {
    this.#most = most;
    this.#share = most;
  }

  /** Limits the following work to an equal share of the remaining queries. */
  shareAmong(parts: number): void {
    this.#share = this.made + (this.#most - this.made) / parts;
    this.isCut = false;
  }

  /** True if more work may begin. */
  allowsMore(): boolean {
    const isAllowed = this.made < this.#share;
    this.isCut ||= !isAllowed;
    return isAllowed;
  }
}

export type LimitedDatabase = D1Database & { readonly queries: QueryBudget };

/** A database that refuses values that are too large for D1, and counts queries. */
export function limited(real: D1Database, queries = new QueryBudget()): LimitedDatabase {
  return {
    queries,
    prepare(query) {
      queries.made++;
      // The statement itself is changed, because a batch takes D1's own statements only.
      const prepared = real.prepare(query);
      const { bind } = prepared;
      return Object.assign(prepared, {
        bind: (...values: unknown[]) => {
          values.forEach(requireFits);
          return Reflect.apply(bind, prepared, values);
        },
      });
    },
    batch: (statements) => real.batch(statements),
    exec: (query) => real.exec(query),
    dump: () => real.dump(),
    withSession: (start) => real.withSession(start),
  };
}
