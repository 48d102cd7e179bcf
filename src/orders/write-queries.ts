import type { SQL } from "drizzle-orm";
import type { Author } from "../audit/entry.ts";
import { auditEntry } from "../audit/queries.ts";
import type { Database } from "../db/client.ts";
import { unchanged } from "../db/precondition.ts";
import { isViolation, refusing } from "../db/violation.ts";
import { type ApiError, conflict, fieldError } from "../errors.ts";
import { writeOnce } from "../idempotency/queries.ts";
import { changeOf } from "./audit.ts";
import { orderSnapshot } from "./queries.ts";
import type { OrderRow } from "./schemas.ts";

/** Something that happens to an order: the statements that do it, and what the order becomes by them. */
export type Effect = {
  action: "update" | "mark_paid" | "ship" | "complete" | "cancel" | "refund";
  statements: SQL[];
  becomes: Partial<OrderRow>;
  movesMoney: boolean;
  note: string | null;
  /** What the audit log keeps beside the order's own state. */
  details?: Record<string, unknown>;
};

/** By whose request an effect comes, and who is audited for it, if anybody is. */
export type Cause = { author: Author; audit: Author | null };

/**
 * Writes to one order and reads it, as one batch: all of it happens, or nothing does. The guards stand in the database
 * (src/db/guards); null says that one of them refused for which `refusals` has no words.
 */
export async function writeOrder(
  db: Database,
  number: string,
  author: Pick<Author, "claim" | "now">,
  writes: readonly SQL[],
  refusals: Record<string, () => ApiError> = {},
): Promise<OrderRow | null> {
  try {
    return await refusing(writeOnce<OrderRow>(db, author, writes, orderSnapshot(number)), refusals);
  } catch (error) {
    if (isViolation(error)) return null;
    throw error;
  }
}

/** Lets an effect happen to an order as it was read. Null says that it has changed since. */
export const writeEffect = (db: Database, order: OrderRow, effect: Effect, { author, audit }: Cause) =>
  writeOrder(
    db,
    order.number,
    author,
    [
      unchanged("orders", order),
      ...effect.statements,
      ...(audit ? [auditEntry(audit, changeOf(order, effect), order.id)] : []),
    ],
    refusals,
  );

const refusals = {
  downloads_used: () =>
    conflict(
      "downloads_used",
      "A download of this order was used: it cannot be cancelled any more, but the shop can refund it",
      fieldError("status", "move_not_allowed", "can become refunded, but not cancelled", { allowed: ["refunded"] }),
    ),
  stock_not_negative: () =>
    conflict("stock_gone", "The stock of the order was sold meanwhile: it cannot be paid any more"),
};
