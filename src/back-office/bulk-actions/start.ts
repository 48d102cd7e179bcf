import { and, eq, inArray, isNull, sql } from "drizzle-orm";
import * as z from "zod";
import { readUserIds, UsersQuery } from "../../accounts/users/public.ts";
import { AllProductsQuery, findVariantIds, readProductIds } from "../../catalogue/products/public.ts";
import { AllOrdersQuery, readOrderIds } from "../../checkout/orders/public.ts";
import { badRequest, fieldError } from "../../domain/errors.ts";
import { requireFreshForChange } from "../../platform/administration/sensitive-changes.ts";
import { requireFreshToMove } from "../../platform/auth/author-limits.ts";
import {
  type ApiKeyCaller,
  type AuthorContext,
  accountScopeOf,
  type CallerContext,
  requirePermission,
  type UserCaller,
} from "../../platform/auth/caller.ts";
import { type Database, requireFirst } from "../../platform/db/client.ts";
import { categories, orders } from "../../platform/db/schema.ts";
import { spellTags } from "../../platform/db/tags.ts";
import { valid } from "../../platform/http/validate.ts";
import { createJob } from "../../platform/jobs/jobs.ts";
import type { JobWithUndo } from "../../platform/jobs/schemas.ts";
import type { AdjustStock, ChangeCustomers, ChangeOrders, ChangeProducts } from "./parameters.ts";
import {
  type CustomerBulkUpdate,
  MOST_ROWS,
  type OrderBulkUpdate,
  type ProductBulkUpdate,
  type ProductsChange,
  type Selection,
} from "./schemas.ts";
import { chosenIds } from "./selection.ts";

// In a separate field, so that errors name the filter by its path.
const ofProducts = z.object({ filters: AllProductsQuery });
const ofCustomers = z.object({ filters: UsersQuery });
const ofOrders = z.object({ filters: AllOrdersQuery });

/** Creates the job of an action on products. */
export async function bulkUpdateProducts(
  ctx: AuthorContext,
  { change, stock, ...selection }: ProductBulkUpdate,
): Promise<JobWithUndo> {
  const { db } = ctx;
  if (change?.category_id && (await db.$count(categories, eq(categories.id, change.category_id))) === 0) {
    throw badRequest(fieldError("change.category_id", "unknown_reference", "does not exist"));
  }
  requireFreshForChange(ctx.author, { subject: "job", after: change ?? {} });
  const addTags = change?.add_tags && (await spellTags(db, change.add_tags));
  const selected = await chosenIds(selection, (filters, most) =>
    readProductIds(db, valid(ofProducts, { filters }).filters, most),
  );
  const onlyPriced = change?.price_percent ? await otherVariants(db, selected) : [];
  // A product comes before its variants, whose changes change its version.
  const ids = [...selected, ...onlyPriced].sort((a, b) => a - b);
  const total = ids.length;
  if (stock) {
    const parameters: AdjustStock = { ids, ...stock };
    return createJob(ctx, { kind: "adjust_stock", parameters, total });
  }
  return createJob(ctx, {
    kind: "change_products",
    parameters: { ids, onlyPriced, addTags, ...changeOf(change) },
    total,
  });
}

/** Returns the variants of selected products that are not selected themselves. A change of the price applies to them. */
async function otherVariants(db: Database, selected: number[]): Promise<number[]> {
  const chosen = new Set(selected);
  const found = (await findVariantIds(db, selected, 2 * MOST_ROWS)).filter((id) => !chosen.has(id));
  if (selected.length + found.length <= MOST_ROWS) return found;
  const words = `have more than ${MOST_ROWS} variants. Select fewer products and work in parts`;
  throw badRequest(fieldError("filters", "too_big", words, { limit: MOST_ROWS }));
}

function changeOf({
  status,
  category_id,
  remove_tags,
  price_percent,
  compare_at_price,
}: Partial<ProductsChange> = {}): Omit<ChangeProducts, "ids" | "onlyPriced" | "addTags"> {
  const price = price_percent && {
    millionths: price_percent,
    compareAt: compare_at_price ?? ("keep" as const),
  };
  return { status, categoryId: category_id, removeTags: remove_tags, price: price || undefined };
}

/** Creates the job of an action on customers. */
export async function bulkUpdateCustomers(
  ctx: AuthorContext,
  { change, ...selection }: CustomerBulkUpdate,
): Promise<JobWithUndo> {
  const { db } = ctx;
  const addTags = change.add_tags && (await spellTags(db, change.add_tags));
  const ids = await chosenIds(selection, (filters, most) =>
    readUserIds(db, valid(ofCustomers, { filters }).filters, most),
  );
  const parameters: ChangeCustomers = { ids, addTags, removeTags: change.remove_tags };
  return createJob(ctx, { kind: "change_customers", parameters, total: ids.length });
}

export const chosenOrders = (db: Database, caller: UserCaller | ApiKeyCaller, selection: Selection, most?: number) =>
  chosenIds(selection, (filters, up) => readOrderIds(db, valid(ofOrders, { filters }).filters, caller, up), most);

/** Sums the amount that marking these orders as paid would move: orders not yet paid. */
async function sumUnpaid(db: Database, ids: number[]): Promise<number> {
  const total = sql<number>`coalesce(sum(${orders.total}), 0)`;
  const chosen = sql`(SELECT value FROM json_each(${JSON.stringify(ids)}))`;
  return requireFirst(
    await db
      .select({ total })
      .from(orders)
      .where(and(inArray(orders.id, chosen), isNull(orders.paidAt))),
  ).total;
}

/**
 * Creates the job of an action on orders. Moving money requires the permission, stays within the user's limit, and needs
 * recent reauthentication.
 */
export async function bulkUpdateOrders(
  ctx: CallerContext,
  { change: { note, add_tags, remove_tags: removeTags, ...move }, ...selection }: OrderBulkUpdate,
): Promise<JobWithUndo> {
  const { db, caller, author } = ctx;
  const addTags = add_tags && (await spellTags(db, add_tags));
  const change: ChangeOrders["change"] = { ...move, addTags, removeTags };
  if (change.payment_status) requirePermission(caller, "payments:write");
  const ids = await chosenOrders(db, caller, selection);
  if (change.payment_status) await requireFreshToMove({ db, author, amount: await sumUnpaid(db, ids) });
  const parameters: ChangeOrders = { ids, change, note: note ?? null, scope: accountScopeOf(caller) };
  return createJob(ctx, { kind: "change_orders", parameters, total: ids.length });
}
