import { eq, inArray, type SQL, sql } from "drizzle-orm";
import { orders } from "../../platform/db/schema.ts";

/** The beginning of a number, which ends with a non-digit, and its digits. */
const TYPED = /^(.*\D)?([1-9]\d{0,14})$/;

/** Matches the order whose number was typed: with its prefix in any case, with #, or digits alone. */
export function hasNumber(typed: string): SQL {
  const [, prefix = "#", digits] = TYPED.exec(typed.trim()) ?? [];
  if (digits === undefined) return sql`FALSE`;
  const sequence = Number(digits);
  if (prefix === "#") return eq(orders.sequence, sequence);
  return sql`(${inArray(orders.sequence, [sequence, -sequence])} AND ${orders.number} = ${typed.trim()} COLLATE NOCASE)`;
}
