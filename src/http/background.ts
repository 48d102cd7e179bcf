import type { Context } from "hono";
import { logFault } from "./log.ts";

/** Lets work go on after the answer. The answer does not depend on it, so its failure is only logged. */
export const inBackground = (c: Pick<Context, "executionCtx">, what: string, work: Promise<unknown>): void =>
  c.executionCtx.waitUntil(work.catch((error: unknown) => logFault(`could not ${what}`, error)));
