import { and, eq, notInArray, type SQL, sql } from "drizzle-orm";
import { badRequest, conflict, fieldError, notFound } from "../../../domain/errors.ts";
import { limits } from "../../../domain/limits.ts";
import { auditEntry } from "../../../platform/audit/audit.ts";
import { countStoredBytes, jsonBytes } from "../../../platform/auth/author-limits.ts";
import {
  type Author,
  type AuthorContext,
  accountScopeOf,
  type CallerContext,
  type WriteContext,
} from "../../../platform/auth/caller.ts";
import { type Database, requireRow } from "../../../platform/db/client.ts";
import { orders, returnLines, returns, type Withdrawal } from "../../../platform/db/schema.ts";
import { insertSelected, translateViolations } from "../../../platform/db/statements.ts";
import { editedMeanwhile } from "../../../platform/http/version.ts";
import { writeOnce } from "../../../platform/idempotency/claims.ts";
import { namedLines } from "../named-lines.ts";
import { orderById, type WhichOrder } from "../orders.ts";
import type { ItemRow, OrderRow } from "../schemas.ts";
import { withdrawalExemption } from "./exemptions.ts";
import { returnSnapshot } from "./returns.ts";
import type { ReturnCreate, ReturnRequest, ReturnRow } from "./schemas.ts";

/** Units of a line in open returns, by line id. */
type OpenUnits = Map<number, number>;

/** Reads the units of an order that its open returns hold. */
export async function readOpenUnits(db: Database, orderId: number): Promise<OpenUnits> {
  const rows = await selectOpenUnits(db, orderId);
  return unitsByLine(rows);
}

const selectOpenUnits = (db: Database, orderId: number) =>
  db
    .select({ itemId: returnLines.orderItemId, units: sql<number>`sum(${returnLines.quantity})`.as("units") })
    .from(returnLines)
    .innerJoin(returns, eq(returns.id, returnLines.returnId))
    .where(and(eq(returns.orderId, orderId), notInArray(returns.status, ["settled", "declined"])))
    .groupBy(returnLines.orderItemId);

const unitsByLine = (rows: { itemId: number; units: number }[]): OpenUnits =>
  new Map(rows.map(({ itemId, units }) => [itemId, units]));

/** Reads an order with the units that its open returns hold, in one round trip. */
export async function readReturnable({ db }: Pick<WriteContext, "db">, which: WhichOrder) {
  const [[order], rows] = await db.batch([orderById(db, which), selectOpenUnits(db, which.id)]);
  if (!order) throw notFound(`Order ${which.id}`);
  return { order, open: unitsByLine(rows) };
}

/** Units of a line that were delivered. A line that needs no shipping is delivered with its payment. */
function deliveredUnits({ status, paidAt }: OrderRow, item: ItemRow): number {
  if (status === "completed") return item.quantity;
  if (item.requiresShipping) return item.shippedQuantity;
  return paidAt === null ? 0 : item.quantity;
}

/**
 * Units of each line that can be returned, or withdrawn from, which does not depend on delivery. Buyers cannot return an
 * exempt line.
 */
export const returnableLines = (order: OrderRow, open: OpenUnits, requestedBy: ReturnRow["requestedBy"]) =>
  order.items.map((item) => {
    const most = requestedBy === "withdrawal" ? item.quantity : deliveredUnits(order, item);
    const left = Math.min(item.quantity - item.refundedQuantity, most) - (open.get(item.id) ?? 0);
    const hasEnded = order.status === "cancelled" || order.status === "expired";
    const exemption = requestedBy === "staff" ? undefined : withdrawalExemption(item.withdrawal);
    return { id: item.id, quantity: hasEnded || exemption ? 0 : Math.max(0, left), exemption };
  });

export type ReturnedLines = { id: number; quantity: number }[];

type Returnable = ReturnType<typeof returnableLines>[number];

/** Returns the requested lines, by default all units that can be returned. Throws if they exceed these. */
function returnedLines(returnable: Returnable[], named: ReturnedLines | undefined): ReturnedLines {
  const lines =
    named ?? returnable.filter(({ quantity }) => quantity > 0).map(({ id, quantity }) => ({ id, quantity }));
  if (lines.length === 0) {
    const exemption = returnable.find((line) => line.exemption)?.exemption;
    const words = exemption ? "the remaining items are exempt from withdrawal and returns" : "no units are left";
    throw badRequest(fieldError("items", "exceeds_returnable", `cannot be returned: ${words}`, { available: 0 }));
  }
  const exceeds = (field: string, available: number, { exemption: exempt }: Returnable) => {
    const words = exempt
      ? `cannot be returned, because it is ${exempt}`
      : `must be at most ${available}, the number of units that can be returned`;
    return fieldError(field, "exceeds_returnable", words, { available });
  };
  const found = namedLines(returnable, lines, { left: ({ quantity }) => quantity, exceeds });
  return found.map(({ item, quantity }) => ({ id: item.id, quantity }));
}

type NewReturn = Partial<typeof returns.$inferInsert> & Pick<typeof returns.$inferInsert, "status" | "requestedBy">;

/** The condition that a return is of a withdrawal with this content. */
export const isSameWithdrawal = (withdrawal: Withdrawal | null | undefined): SQL =>
  sql`${returns.withdrawal} = ${JSON.stringify(withdrawal ?? null)}`;

/**
 * Statements of a new return. A withdrawal without lines that repeats another inserts nothing. The database refuses more
 * units than can be returned.
 */
export const insertReturn = (
  { author }: Pick<WriteContext, "author">,
  { orderId, row, lines, audit }: { orderId: number; row: NewReturn; lines: ReturnedLines; audit: Author | null },
): SQL[] => [
  insertSelected(
    returns,
    { orderId: orders.id, createdAt: author.now, updatedAt: author.now, ...row },
    sql`FROM ${orders} WHERE ${orders.id} = ${orderId} AND (${lines.length > 0} OR NOT EXISTS (
      SELECT 1 FROM ${returns} WHERE ${returns.orderId} = ${orderId} AND ${isSameWithdrawal(row.withdrawal)}))`,
  ),
  insertSelected(
    returnLines,
    {
      returnId: sql`(SELECT max(${returns.id}) FROM ${returns} WHERE ${returns.orderId} = ${orderId})`,
      orderItemId: sql`value ->> 0`,
      quantity: sql`value ->> 1`,
    },
    sql`FROM json_each(${JSON.stringify(lines.map(({ id, quantity }) => [id, quantity]))})`,
  ),
  ...(audit
    ? [
        auditEntry(
          { author: audit },
          { action: "create_return", subject: "order", id: orderId, after: { returned_items: lines } },
        ),
      ]
    : []),
];

const returnRefusals = {
  return_exceeds_order: editedMeanwhile.row_changed,
  too_many_returns: () => {
    const limit = limits.RETURNS_PER_ORDER;
    const words = `has reached the maximum of ${limit} returns`;
    return conflict("too_many_returns", `The order ${words}`, fieldError("body", "too_many_returns", words, { limit }));
  },
};

/** Requests a return, or creates an approved one if staff ask for it. */
export async function createReturn(
  { db, author }: AuthorContext,
  { which, request, row, audit }: { which: WhichOrder; request: ReturnRequest; row: NewReturn; audit: Author | null },
): Promise<ReturnRow> {
  const { order, open } = await readReturnable({ db }, which);
  const lines = returnedLines(returnableLines(order, open, row.requestedBy), request.items);
  const stored = { ...row, reason: request.reason ?? null };
  const writes = [
    ...insertReturn({ author }, { orderId: order.id, row: stored, lines, audit }),
    ...countStoredBytes({ author }, 2 * jsonBytes([stored, lines])),
  ];
  const newest = sql`id = (SELECT max(id) FROM returns WHERE order_id = ${order.id})`;
  return requireRow(
    await translateViolations(
      writeOnce<ReturnRow>({ db, author }, { writes, answer: returnSnapshot(newest) }),
      returnRefusals,
    ),
  );
}

/** Creates an approved return on behalf of the buyer. */
export const createStaffReturn = (
  ctx: CallerContext,
  { id, request: { instructions, label_url: labelUrl, ...request } }: { id: number; request: ReturnCreate },
): Promise<ReturnRow> =>
  createReturn(ctx, {
    which: { id, scope: accountScopeOf(ctx.caller) },
    request,
    row: { status: "approved", requestedBy: "staff", instructions, labelUrl },
    audit: ctx.author,
  });
