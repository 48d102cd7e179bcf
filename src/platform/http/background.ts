import type { Context } from "hono";
import { logFault } from "./log.ts";

/** Lets work go on after the answer. The answer does not depend on it, so its failure is only logged. */
export const inBackground = (c: Pick<Context, "executionCtx">, what: string, work: Promise<unknown>): void =>
  c.executionCtx.waitUntil(work.catch((error: unknown) => logFault(`could not ${what}`, error)));

/** Awaits work that must finish, or clean up after itself, even if the client disconnects. */
export function runToCompletion<T>(c: Pick<Context, "executionCtx">, work: Promise<T>): Promise<T> {
  c.executionCtx.waitUntil(work.catch(() => undefined));
  return work;
}
