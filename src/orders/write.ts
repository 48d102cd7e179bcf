import { type AccountScope, accountScopeOf, type Target } from "../account-scope.ts";
import type { Author } from "../audit/entry.ts";
import type { ApiKeyCaller, UserCaller } from "../auth/caller.ts";
import { requirePermission } from "../auth/permissions.ts";
import type { Database } from "../db/client.ts";
import { notFound } from "../errors.ts";
import { type IfMatch, requireVersion } from "../http/version.ts";
import type { NewRefund, OrderChange } from "./admin-schemas.ts";
import { corrected } from "./correct.ts";
import { happen } from "./happen.ts";
import { moved } from "./move.ts";
import { editOrder } from "./move-queries.ts";
import { findAnyOrder } from "./queries.ts";
import { extentOf, refundOrder } from "./refund.ts";
import type { OrderRow } from "./schemas.ts";

// What administrators do with orders. Each write stands in the audit log with what it changed.

export async function requireOrder(db: Database, id: number, scope: AccountScope): Promise<OrderRow> {
  const order = await findAnyOrder(db, id, scope);
  if (!order) throw notFound(`Order ${id}`);
  return order;
}

/** Moves an order, corrects it, or both at once: all that is sent happens, or nothing does. */
export async function changeOrder(
  db: Database,
  caller: UserCaller | ApiKeyCaller,
  id: number,
  sent: OrderChange,
  ifMatch: IfMatch,
  author: Author,
): Promise<OrderRow> {
  const { actor, now } = author;
  const target = { id, scope: accountScopeOf(caller) };
  return happen(db, target, { author, audit: author }, (order) => {
    requireVersion(ifMatch, order.updatedAt);
    const by = { actor, now, note: sent.note ?? null };
    const move = moved(db, order, sent, by);
    if (move?.movesMoney) requirePermission(caller, "payments:write");
    const edit = editOrder(db, order, corrected(order, sent), by);
    if (!move) return edit;
    return {
      ...move,
      statements: [...edit.statements, ...move.statements],
      becomes: { ...edit.becomes, ...move.becomes },
    };
  });
}

/** Gives back the units that are named, an amount, or all that is left. */
export function giveBack(
  db: Database,
  target: Target,
  sent: NewRefund,
  ifMatch: IfMatch,
  author: Author,
): Promise<OrderRow> {
  const { actor, now } = author;
  return happen(db, target, { author, audit: author }, (order) => {
    requireVersion(ifMatch, order.updatedAt);
    const { restock, note = null } = sent;
    return refundOrder(order, { what: whatIn(sent), restock, ends: "refunded", actor, now, note });
  });
}

/** What `giveBack` would give back of the order as it stands, in minor units. */
export const amountOf = (order: OrderRow, sent: NewRefund): number =>
  extentOf(order, whatIn(sent), sent.restock).amount;

const whatIn = ({ items, amount }: NewRefund) =>
  items?.map(({ id: itemId, quantity }) => ({ itemId, quantity })) ?? amount ?? "all";
