import type { ApiError } from "../../domain/errors.ts";

/** The whole text of a fault: Drizzle wraps what the database said. */
const textOf = (error: unknown): string =>
  error instanceof Error ? `${error.message} ${error.cause === undefined ? "" : textOf(error.cause)}` : String(error);

/** Whether the database refused a write by this rule: a CHECK's or trigger's name, or `table.column` of a UNIQUE one. */
export const violates = (error: unknown, rule: string): boolean => {
  const text = textOf(error);
  return text.includes("SQLITE_CONSTRAINT") && text.includes(rule);
};

/** Whether the database refused a write by any rule of its own, rather than failed. */
export const isViolation = (error: unknown): boolean => textOf(error).includes("SQLITE_CONSTRAINT");

/** The error for a violated rule, by the rule's name. */
type Refusals = Record<string, () => ApiError | Promise<ApiError>>;

/** Awaits a write, and throws the error that `refusals` has for a violated rule. */
export async function translateViolations<T>(write: Promise<T>, refusals: Refusals): Promise<T> {
  try {
    return await write;
  } catch (error) {
    const rule = Object.keys(refusals).find((name) => violates(error, name));
    throw (rule && (await refusals[rule]?.())) || error;
  }
}
