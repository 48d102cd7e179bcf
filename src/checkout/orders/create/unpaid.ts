import { and, count, eq, isNotNull, isNull, type SQL, sql, sum } from "drizzle-orm";
import { limits } from "../../../domain/limits.ts";
import type { Database } from "../../../platform/db/client.ts";
import { orders, stockAllocations, users } from "../../../platform/db/schema.ts";
import { precondition } from "../../../platform/db/statements.ts";
import type { UnpaidLimits } from "../../../platform/settings/settings.ts";
import type { CheckoutDraft } from "./draft.ts";

// Limits for unpaid orders. The database enforces them (order_no_excess_pending and unpaid_order_no_*).

type UnpaidHolder = Pick<CheckoutDraft, "userId" | "apiKeyId" | "customer">;

/** An API key's guests without an e-mail address are counted together, with a higher shared limit. */
const isNobody = ({ userId, customer }: UnpaidHolder): boolean => userId === null && customer === undefined;

const share = (buyer: UnpaidHolder): number => (isNobody(buyer) ? limits.GUESTS_WITHOUT_EMAIL_FACTOR : 1);

/** Holder of an unpaid order's units, as named in stock_allocations. */
function holderOf({ userId, apiKeyId, customer }: UnpaidHolder): string {
  if (userId !== null) return `user:${userId}`;
  return customer ? `guest:${customer.email}` : `api_key:${apiKeyId}`;
}

/** Maximum number of the buyer's orders awaiting payment. */
export const maxOrdersWaiting = (draft: CheckoutDraft): number => draft.unpaidLimits.orders * share(draft);

/**
 * Maximum units of a product that the buyer may hold unpaid. `stock` is the remaining stock, `held` the units that the
 * buyer already holds.
 */
export const maxUnitsUnpaid = (draft: CheckoutDraft, stock: number, held: number): number =>
  maxUnitsOfGuest(draft, stock, held) * share(draft);

/** Maximum units of a product that guests in one network may together hold unpaid. */
export const maxUnitsOfNetwork = (draft: CheckoutDraft, stock: number, held: number): number =>
  maxUnitsOfGuest(draft, stock, held) * limits.GUESTS_PER_NETWORK_FACTOR;

const maxUnitsOfGuest = ({ unpaidLimits: { units, percent } }: CheckoutDraft, stock: number, held: number): number =>
  Math.max(units, Math.floor(((stock + held) * percent) / 100));

/** Statement that passes the settings to the triggers that enforce them. Writes only if they changed. */
export const setUnpaidLimits = ({ orders: waiting, units, percent, unverified }: UnpaidLimits): SQL => sql`
  INSERT INTO unpaid_limits (id, orders_waiting, units_held, percent_held, units_unverified)
  VALUES (1, ${waiting}, ${units}, ${percent}, ${unverified})
  ON CONFLICT (id) DO UPDATE SET orders_waiting = excluded.orders_waiting, units_held = excluded.units_held,
    percent_held = excluded.percent_held, units_unverified = excluded.units_unverified
  WHERE (orders_waiting, units_held, percent_held, units_unverified)
    IS NOT (excluded.orders_waiting, excluded.units_held, excluded.percent_held, excluded.units_unverified)`;

/** Condition of unpaid orders that hold stock, in the words of the index of orders awaiting payment. */
const isHolding = sql`status IN ('pending', 'processing')`;

/** Query, for a batch, that counts the buyer's orders awaiting payment. */
export const selectWaitingOrders = (db: Database, draft: CheckoutDraft) =>
  db
    .select({ orders: count() })
    .from(orders)
    .where(and(ofBuyer(draft), isHolding, isNotNull(orders.expiresAt)));

const ofBuyer = ({ userId, apiKeyId, customer }: CheckoutDraft) => {
  if (userId !== null) return eq(orders.userId, userId);
  if (customer) return and(isNull(orders.userId), eq(orders.customerEmail, customer.email));
  return and(isNull(orders.userId), isNull(orders.customerEmail), eq(orders.apiKeyId, apiKeyId ?? 0));
};

/** Query, for a batch, for the units of each product that the buyer's unpaid orders hold. `productIds` is a subquery. */
export const selectUnpaidUnits = (db: Database, draft: CheckoutDraft, productIds: SQL) =>
  selectHeld(db, eq(stockAllocations.unpaidBy, holderOf(draft)), productIds);

/** Query, for a batch, for the units of each product that unpaid orders of guests in the buyer's network hold. */
export const selectUnitsOfNetwork = (db: Database, { unpaidFrom }: CheckoutDraft, productIds: SQL) =>
  selectHeld(db, eq(stockAllocations.unpaidFrom, unpaidFrom ?? ""), productIds);

const selectHeld = (db: Database, held: SQL, productIds: SQL) =>
  db
    .select({ productId: stockAllocations.productId, quantity: sum(stockAllocations.quantity) })
    .from(stockAllocations)
    .where(and(sql`${stockAllocations.productId} IN ${productIds}`, held))
    .groupBy(stockAllocations.productId);

/** Units of all products held by an account's unpaid orders, counted as in unpaid_order_no_excess_unverified. */
export const heldUnpaid = (userId: number | null): SQL<number> => sql`(
  SELECT coalesce(sum(stock_allocations.quantity), 0)
  FROM orders JOIN order_items ON order_items.order_id = orders.id
    JOIN stock_allocations ON stock_allocations.order_item_id = order_items.id
  WHERE orders.user_id = ${userId} AND orders.status IN ('pending', 'processing') AND stock_allocations.unpaid_by IS NOT NULL)`;

/** Refuses the batch unless the account's e-mail address is verified. */
export const requireVerified = (userId: number): SQL =>
  precondition(
    sql`EXISTS (SELECT 1 FROM ${users} WHERE ${users.id} = ${userId} AND ${users.emailVerifiedAt} IS NOT NULL)`,
  );
