import type { ApiError } from "../../domain/errors.ts";

/** The full text of a fault, including the cause that Drizzle wraps. */
const textOf = (error: unknown): string =>
  error instanceof Error ? `${error.message} ${error.cause === undefined ? "" : textOf(error.cause)}` : String(error);

/** True if the database refused a write by this rule: the name of a CHECK or trigger, or `table.column` of a UNIQUE. */
export const violates = (error: unknown, rule: string): boolean => {
  const text = textOf(error);
  return text.includes("SQLITE_CONSTRAINT") && text.includes(rule);
};

/** True if the database refused a write by any of its rules, rather than failed. */
export const isViolation = (error: unknown): boolean => textOf(error).includes("SQLITE_CONSTRAINT");

/** Errors by violated rule. */
type Refusals = Record<string, () => ApiError | Promise<ApiError>>;

/** Awaits a write. Throws the error in `refusals` for a violated rule. */
export async function translateViolations<T>(write: Promise<T>, refusals: Refusals): Promise<T> {
  try {
    return await write;
  } catch (error) {
    const rule = Object.keys(refusals).find((name) => violates(error, name));
    throw (rule && (await refusals[rule]?.())) || error;
  }
}
