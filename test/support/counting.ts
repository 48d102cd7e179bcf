import { env } from "cloudflare:workers";
import { expect } from "vitest";
import { type Storage, watched } from "./watched.ts";

export type Trips = Record<Storage, number>;

/** Queries that an invocation may make. D1 refuses the 1,001st. */
export const QUERY_LIMIT = 900;

/** Work of D1 in counted round trips, in the units in which it is billed. */
export type Work = { statements: number; rowsRead: number; rowsWritten: number };

type Meta = { rows_read?: number; rows_written?: number };

/** Wraps bindings to count the round trips made through them, and their work in D1. */
export function counting<Bindings extends object>(real: Bindings) {
  const trips: Trips = { d1: 0, durableObjects: 0, r2: 0 };
  const work: Work = { statements: 0, rowsRead: 0, rowsWritten: 0 };
  const add = ({ rows_read = 0, rows_written = 0 }: Meta) => {
    work.rowsRead += rows_read;
    work.rowsWritten += rows_written;
  };
  const bindings = watched(real, async (storage, call, _, statements) => {
    trips[storage]++;
    work.statements += statements;
    const answer = await call();
    if (storage === "d1") for (const { meta } of resultsOf(answer)) add(meta);
    return answer;
  });
  return { bindings, trips, work };
}

/** Calls the Worker with counted bindings, and fails if it makes more queries than an invocation may. */
export async function withinQueries<T>(bindings: Partial<Env>, run: (bindings: Env) => Promise<T>): Promise<T> {
  const { bindings: watchedBindings, work } = counting<Env>({ ...env, ...bindings });
  const answer = await run(watchedBindings);
  expect(work.statements).toBeLessThanOrEqual(QUERY_LIMIT);
  return answer;
}

/** Counts the round trips of the Worker under test. */
export const counted = () => counting<Env>(env);

const resultsOf = (answer: unknown) => [answer].flat().filter(isResult);

const isResult = (answer: unknown): answer is { meta: Meta } =>
  typeof answer === "object" && answer !== null && "meta" in answer;
