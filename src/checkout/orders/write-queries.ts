import type { SQL } from "drizzle-orm";
import { type ApiError, badRequest, conflict, fieldError } from "../../domain/errors.ts";
import { countSpending, spendingRefused } from "../../platform/administration/spending-queries.ts";
import { auditEntry } from "../../platform/audit/queries.ts";
import type { Author } from "../../platform/auth/author.ts";
import type { Database } from "../../platform/db/client.ts";
import { unchanged } from "../../platform/db/precondition.ts";
import { isViolation, translateViolations } from "../../platform/db/violation.ts";
import { type Writer, writeOnce } from "../../platform/idempotency/queries.ts";
import { type AuditedChange, changeEntry } from "./audit.ts";
import { orderSnapshot } from "./queries.ts";
import type { OrderRow } from "./schemas.ts";

/** A change of an order before it is written, with its statements. */
export type PlannedChange = AuditedChange & {
  statements: SQL[];
  /** Minor units that it moves; null for a change that moves none. */
  moves: number | null;
};

/** Two changes of an order as one, which is called as the second. */
export const together = (first: PlannedChange, second: PlannedChange): PlannedChange => ({
  ...second,
  statements: [...first.statements, ...second.statements],
  becomes: { ...first.becomes, ...second.becomes },
});

/** Whose request a change is, and who is audited for it, if anybody is. */
export type ChangeAuthor = { author: Author; audit: Author | null };

/**
 * Writes to one order and reads it, as one batch: everything is written, or nothing is. The guards stand in the database
 * (src/platform/db/guards); null says that one of them refused for which `refusals` has no error.
 */
export async function writeOrder(
  db: Database,
  number: string,
  author: Writer,
  writes: readonly SQL[],
  refusals: Record<string, () => ApiError> = {},
): Promise<OrderRow | null> {
  try {
    return await translateViolations(writeOnce<OrderRow>(db, author, writes, orderSnapshot(number)), refusals);
  } catch (error) {
    if (isViolation(error)) return null;
    throw error;
  }
}

/** Writes a planned change with its audit entry. Null says that the order has changed since it was read. */
export const writeChange = (db: Database, order: OrderRow, change: PlannedChange, { author, audit }: ChangeAuthor) =>
  writeOrder(db, order.number, author, changeWrites(order, change, audit), {
    ...refusals,
    ...(audit && spendingRefused(audit)),
  });

/** The statements of a planned change, for the batch that makes it, alone or among others; none for one that changes nothing. */
export function changeWrites(order: OrderRow, change: PlannedChange, audit: Author | null): SQL[] {
  const entry = changeEntry(order, change);
  if (change.action === "update" && Object.keys(entry.after ?? {}).length === 0) return [];
  return [
    unchanged("orders", order),
    ...(audit && change.moves !== null ? countSpending(audit, change.moves) : []),
    ...change.statements,
    ...(audit ? [auditEntry(audit, entry, order.id)] : []),
  ];
}

const discountGone = () =>
  badRequest(
    fieldError("payment_status", "discount_used_up", "cannot become paid any more: its discount was used up meanwhile"),
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
  discount_used_up: discountGone,
  discount_used_by_customer: discountGone,
};
