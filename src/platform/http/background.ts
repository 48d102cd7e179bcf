import type { Context } from "hono";
import { logFault } from "./log.ts";

/** Continues work after the response. A failure is only logged, because the response does not depend on it. */
export const inBackground = (c: Pick<Context, "executionCtx">, what: string, work: Promise<unknown>): void =>
  c.executionCtx.waitUntil(work.catch((error: unknown) => logFault(`could not ${what}`, error)));

/** Awaits work that must finish or clean up even if the client disconnects. */
export function runToCompletion<T>(c: Pick<Context, "executionCtx">, work: Promise<T>): Promise<T> {
  c.executionCtx.waitUntil(work.catch(() => undefined));
  return work;
}
