import { and, desc, eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import { notFound, providerUnavailable } from "../../domain/errors.ts";
import { auditEntry } from "../../platform/audit/audit.ts";
import {
  type AccountScope,
  type ApiKeyCaller,
  inScope,
  isOwn,
  type SettingsContext,
  type UserCaller,
  type WriteContext,
} from "../../platform/auth/caller.ts";
import { type Database, runAll } from "../../platform/db/client.ts";
import { json } from "../../platform/db/json.ts";
import { allOf, type Conditions, type PageOf, readPage } from "../../platform/db/page.ts";
import { orders, subscriptions } from "../../platform/db/schema.ts";
import { findProvider, type PaymentProvider } from "../payments/public.ts";
import type { MySubscriptionsQuery, SubscriptionRow, SubscriptionsQuery, subscriptionStatuses } from "./schemas.ts";
import { syncSubscription } from "./sync.ts";

/** Limits of a caller to subscriptions: an account's, a key's, or that of a guest's order. */
type Whose = { scope: AccountScope } | { caller: UserCaller | ApiKeyCaller } | { guestOrderId: number };

/** The name of the table is written out: Drizzle leaves it out of selected columns, and `order_items` has an `order_id`. */
const ofFirstOrder = (column: SQL): SQL =>
  sql`(SELECT ${column} FROM order_items JOIN products ON products.id = product_id
    WHERE order_items.order_id = subscriptions.order_id AND quantity > 0 LIMIT 1)`;

const selectSubscriptions = (db: Database) =>
  db
    .select({
      ...getTableColumns(subscriptions),
      userId: sql<number | null>`(SELECT user_id FROM orders WHERE id = ${subscriptions.orderId})`,
      orderReference: sql<string>`(SELECT reference FROM orders WHERE id = ${subscriptions.orderId})`,
      product: json<SubscriptionRow["product"]>(
        ofFirstOrder(sql`json_object('id', product_id, 'name', order_items.name)`),
      ),
      renews: sql<SubscriptionRow["renews"]>`${ofFirstOrder(sql`renews`)}`,
      orderIds: json<number[]>(sql`(
        SELECT json_group_array(order_id ORDER BY order_id) FROM subscription_periods
        WHERE subscription_id = ${subscriptions.id})`),
    })
    .from(subscriptions);

const isOfOrder = (orderId: number | SQL): SQL =>
  sql`${subscriptions.id} IN (SELECT subscription_id FROM subscription_periods WHERE order_id = ${orderId})`;

const isVisible = (whose: Whose): SQL | undefined => {
  if ("guestOrderId" in whose) return isOfOrder(whose.guestOrderId);
  const holds = "scope" in whose ? inScope(whose.scope, orders.userId) : isOwn(whose.caller, orders);
  return holds && sql`EXISTS (SELECT 1 FROM ${orders} WHERE ${orders.id} = ${subscriptions.orderId} AND ${holds})`;
};

const hasStatus = (status: (typeof subscriptionStatuses)[number]): SQL =>
  ({
    active: sql`ended_at IS NULL AND NOT past_due`,
    past_due: sql`ended_at IS NULL AND past_due`,
    cancelled: sql`ended_at IS NOT NULL`,
  })[status];

export function listSubscriptions(
  db: Database,
  query: MySubscriptionsQuery & Partial<SubscriptionsQuery>,
  whose: Whose,
): Promise<PageOf<SubscriptionRow>> {
  const { order_id, user_id, status } = query;
  const narrowed = {
    order_id: order_id === undefined ? undefined : isOfOrder(order_id),
    user_id:
      user_id === undefined
        ? undefined
        : sql`EXISTS (SELECT 1 FROM orders WHERE id = ${subscriptions.orderId} AND user_id = ${user_id})`,
    status: status && hasStatus(status),
  } satisfies Conditions<SubscriptionsQuery>;
  const where = and(allOf(narrowed), isVisible(whose));
  return readPage(
    db,
    query,
    selectSubscriptions(db).where(where).orderBy(desc(subscriptions.id)),
    subscriptions,
    where,
  );
}

/** The subscription that paid an order. */
export const findSubscriptionOfOrder = (db: Database, orderId: number | SQL): Promise<SubscriptionRow | undefined> =>
  selectSubscriptions(db).where(isOfOrder(orderId)).get();

export async function requireSubscription(db: Database, id: number, whose: Whose): Promise<SubscriptionRow> {
  const row = await selectSubscriptions(db)
    .where(and(eq(subscriptions.id, id), isVisible(whose)))
    .get();
  if (!row) throw notFound(`Subscription ${id}`);
  return row;
}

type SubscriptionProvider = PaymentProvider & Required<Pick<PaymentProvider, "subscriptions">>;

async function requireProvider(ctx: Pick<WriteContext, "db" | "settings">): Promise<SubscriptionProvider> {
  const provider = await findProvider(ctx, "stripe");
  const { subscriptions: billing } = provider ?? {};
  if (provider && billing) return { ...provider, subscriptions: billing };
  throw providerUnavailable("Stripe");
}

/** Ends a subscription at the end of the paid period, or at once. One that has ended stays as it is. */
export async function cancelSubscription(
  ctx: SettingsContext,
  { id, whose, atPeriodEnd }: { id: number; whose: Whose; atPeriodEnd: boolean },
): Promise<SubscriptionRow> {
  const { db, author } = ctx;
  const { reference, endedAt, orderId } = await requireSubscription(db, id, whose);
  if (endedAt === null) {
    const provider = await requireProvider(ctx);
    const sync = () => syncSubscription({ ...ctx, requestId: author.requestId }, reference);
    // It may have ended without an event that arrived.
    await sync();
    const current = await requireSubscription(db, id, whose);
    if (current.endedAt !== null) return current;
    await (atPeriodEnd ? provider.subscriptions.cancelAtPeriodEnd(reference, true) : provider.close(reference));
    await sync();
    const after = { at_period_end: atPeriodEnd };
    await runAll(db, [auditEntry(ctx, { subject: "order", action: "cancel_subscription", id: orderId, after })]);
  }
  return requireSubscription(db, id, whose);
}

/**
 * Stops renewals once the bank returned one of their payments: Stripe continues to charge the card unless its own setting
 * for disputed payments cancels. Access lasts until the end of the paid period, because its payment may be another.
 */
export async function cancelDisputedSubscription(ctx: SettingsContext, orderId: number): Promise<void> {
  const found = await findSubscriptionOfOrder(ctx.db, orderId);
  if (!found || found.cancelsAt !== null || found.endedAt !== null) return;
  await cancelSubscription(ctx, { id: found.id, whose: { scope: "everybody" }, atPeriodEnd: true });
}

/**
 * Opens the provider's page where the buyer changes the card or cancels, and returns its URL. A guest's link may have been
 * forwarded, so it leads to the form for another card only, without the buyer's data.
 */
export async function openPortal(
  ctx: Pick<WriteContext, "db" | "settings">,
  { id, whose }: { id: number; whose: Whose },
): Promise<string> {
  const { customer, orderReference } = await requireSubscription(ctx.db, id, whose);
  return (await requireProvider(ctx)).subscriptions.openPortal({
    customer,
    orderReference,
    onlyCard: "guestOrderId" in whose,
  });
}
