import { and, eq, sql } from "drizzle-orm";
import { badRequest, conflict, fieldError } from "../../../domain/errors.ts";
import { auditEntry, difference } from "../../../platform/audit/audit.ts";
import { type AccountScope, accountScopeOf, type CallerContext } from "../../../platform/auth/caller.ts";
import { type Database, requireRow } from "../../../platform/db/client.ts";
import { returnLines, returns } from "../../../platform/db/schema.ts";
import { isSame, merge, nextVersion, translateViolations, unchanged } from "../../../platform/db/statements.ts";
import { editedMeanwhile, type IfMatch, requireVersion } from "../../../platform/http/version.ts";
import { writeOnce } from "../../../platform/idempotency/claims.ts";
import { applyOrderChange } from "../change.ts";
import { refundExtent } from "../refunds/extent.ts";
import { planRefund } from "../refunds/refund.ts";
import type { OrderRow } from "../schemas.ts";
import { trackingPageOf } from "../shipments/carriers.ts";
import { requireReturn, returnSnapshot } from "./returns.ts";
import { type ReturnRow, type ReturnSettlement, type ReturnUpdate, toReturn } from "./schemas.ts";

type EditedReturn = { id: number; ifMatch: IfMatch };
type Status = ReturnRow["status"];

/** Statuses after each. The database refuses to go back. */
const moves: Record<Status, readonly Status[]> = {
  requested: ["approved", "declined"],
  approved: ["in_transit", "received", "declined"],
  in_transit: ["received", "declined"],
  received: ["settled", "declined"],
  settled: [],
  declined: [],
};

/** Statuses that staff can give a return. One without units, of a withdrawal that took none, can only be declined. */
export const returnMoves = ({ status, items }: Pick<ReturnRow, "status" | "items">): readonly Status[] =>
  items.length > 0 ? moves[status] : moves[status].filter((to) => to === "declined");

function requireMove(row: ReturnRow, to: Status, allowed = returnMoves(row)): void {
  if (allowed.includes(to)) return;
  const words = "is not possible now";
  const detail = fieldError("status", "move_not_allowed", words, { allowed: [...allowed] });
  throw conflict("move_not_allowed", "The return cannot change to this status now", detail);
}

async function readEdited(db: Database, { id, ifMatch }: EditedReturn, scope: AccountScope): Promise<ReturnRow> {
  const row = await requireReturn(db, id, scope);
  requireVersion(ifMatch, row.updatedAt);
  return row;
}

/** Approves, declines or receives a return, or changes how it is sent. */
export async function changeReturn(
  { db, caller, author }: CallerContext,
  { change, ...which }: EditedReturn & { change: ReturnUpdate },
): Promise<ReturnRow> {
  const row = await readEdited(db, which, accountScopeOf(caller));
  const { status = row.status, items: counted } = change;
  if (status !== row.status) requireMove(row, status);
  else if (moves[status].length === 0) requireMove(row, "approved");
  const items = status === "received" ? receivedItems(row, counted) : row.items;
  if (counted && status !== "received")
    throw badRequest(fieldError("items", "not_applicable", "can be counted once the goods arrived"));
  const { decline_reason: declineReason, instructions, label_url: labelUrl, carrier } = change;
  const { tracking_number: trackingNumber, tracking_url: trackingUrl } = change;
  const sent = merge(row, { declineReason, instructions, labelUrl, carrier, trackingNumber, trackingUrl });
  if (sent.carrier !== null && trackingUrl === undefined && (carrier ?? trackingNumber) !== undefined) {
    sent.trackingUrl = trackingPageOf({ carrier: sent.carrier, trackingNumber: sent.trackingNumber });
  }
  if (isSame(row, { ...sent, status, items })) return row;
  const updatedAt = nextVersion(row, author.now);
  const becomes = { ...sent, status, items, updatedAt };
  const { id, orderId, order: _, refund: __, items: ___, ...columns } = becomes;
  const writes = [
    unchanged("returns", row),
    db.update(returns).set(columns).where(eq(returns.id, id)).getSQL(),
    db
      .update(returnLines)
      .set({ intact: sql`line.value ->> 1`, damaged: sql`line.value ->> 2` })
      .from(sql`json_each(${JSON.stringify(items.map((item) => [item.id, item.intact, item.damaged]))}) AS line`)
      .where(and(eq(returnLines.returnId, id), sql`${returnLines.orderItemId} = line.value ->> 0`))
      .getSQL(),
    auditEntry({ author }, { action: "update_return", subject: "order", id: orderId, ...audited(row, becomes) }),
  ];
  const answer = returnSnapshot(sql`id = ${id}`);
  const written = translateViolations(writeOnce<ReturnRow>({ db, author }, { writes, answer }), {
    ...editedMeanwhile,
    return_move_not_allowed: editedMeanwhile.row_changed,
  });
  return requireRow(await written);
}

/** Texts may contain personal data, which the order's own entries leave out. */
function audited(before: ReturnRow, after: ReturnRow) {
  const state = (row: ReturnRow) => {
    const { status, items } = toReturn(row);
    return {
      return_id: row.id,
      status,
      items: items.map(({ id, quantity, intact, damaged }) => ({ id, quantity, intact, damaged })),
    };
  };
  const changed = difference(state(before), state(after));
  return { before: changed.before, after: { return_id: before.id, ...changed.after } };
}

/** Units that arrived, by default all of them intact. */
function receivedItems(row: ReturnRow, counted: ReturnUpdate["items"]): ReturnRow["items"] {
  if (!counted && row.status === "received") return row.items;
  const counts = new Map(counted?.map((item, index) => [item.id, { ...item, index }]));
  const items = row.items.map((item) => {
    const { intact = item.quantity, damaged = 0, index } = counts.get(item.id) ?? (counted ? { intact: 0 } : {});
    counts.delete(item.id);
    if (intact + damaged > item.quantity) {
      const words = `exceeds the ${item.quantity} units of the return`;
      throw badRequest(fieldError(`items.${index}.intact`, "exceeds_returnable", words, { available: item.quantity }));
    }
    return { ...item, intact, damaged };
  });
  for (const { index } of counts.values())
    throw badRequest(fieldError(`items.${index}.id`, "unknown_reference", "is not an item of this return"));
  return items;
}

/** Refunds the units that arrived, less damage. Intact units return to the stock, damaged ones are written off. */
export async function settleReturn(
  ctx: CallerContext,
  { settlement, ...which }: EditedReturn & { settlement: ReturnSettlement },
): Promise<OrderRow> {
  const scope = accountScopeOf(ctx.caller);
  const row = await readEdited(ctx.db, which, scope);
  const lines = arrivedLines(row);
  requireMove(row, "settled", lines.length === 0 && row.status === "received" ? ["declined"] : undefined);
  const { shipping, deduction, note = null } = settlement;
  const what = { lines, shipping, deduction };
  const settled = { status: "settled" as const, updatedAt: nextVersion(row, ctx.author.now) };
  return applyOrderChange(ctx, {
    which: { id: row.orderId, scope },
    audit: ctx.author,
    decide(order) {
      const refund = planRefund(ctx, { order, what, restock: false, ends: "refunded", note });
      return {
        ...refund,
        statements: [
          unchanged("returns", row),
          ctx.db.update(returns).set(settled).where(eq(returns.id, row.id)).getSQL(),
          ...refund.statements,
        ],
        details: { ...refund.details, return_id: row.id },
      };
    },
  });
}

/** The amount that `settleReturn` refunds. Throws if it exceeds what is left. */
export const settledAmount = (order: OrderRow, row: ReturnRow, { shipping, deduction }: ReturnSettlement): number =>
  refundExtent(order, { lines: arrivedLines(row), shipping, deduction }, false).amount;

const arrivedLines = ({ items }: ReturnRow) =>
  items
    .map(({ id, intact, damaged }) => ({
      itemId: id,
      quantity: (intact ?? 0) + (damaged ?? 0),
      restocked: intact ?? 0,
    }))
    .filter(({ quantity }) => quantity > 0);
