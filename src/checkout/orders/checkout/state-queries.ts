import { eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import type { BatchResponse } from "drizzle-orm/batch";
import type { Database } from "../../../platform/db/client.ts";
import { requireFirst } from "../../../platform/db/client.ts";
import { grantsFiles } from "../../../platform/db/grants-files.ts";
import { addresses, products, users } from "../../../platform/db/schema.ts";
import { type CartOwner, cartProductIds, selectCartLines } from "../../cart/public.ts";
import { selectDiscountsOf, selectHasOrdered, selectRules, selectUses } from "../../pricing/public.ts";
import { buyerOf } from "./buyer.ts";
import { addressIdsOf, type CheckoutDraft } from "./draft.ts";
import type { OrderState } from "./order-state.ts";
import { selectResent } from "./resent-queries.ts";
import { heldUnpaid, selectUnpaidUnits, selectWaitingOrders } from "./unpaid-queries.ts";

/** What an order meets in the database: read when it was refused, or before a payment is opened for it. */
export async function readOrderState(db: Database, draft: CheckoutDraft): Promise<OrderState> {
  const ids = sql`(SELECT value FROM json_each(${JSON.stringify(draft.lines.map((line) => line.productId))}))`;
  return toState(await db.batch(queries(db, draft, ids)));
}

/** What an order of a cart would meet, and the cart's lines: products and quantities. */
export async function readCartState(db: Database, draft: CheckoutDraft, owner: CartOwner) {
  const ids = cartProductIds(owner, draft.now);
  const [cart, ...read] = await db.batch([selectCartLines(db, owner, draft.now), ...queries(db, draft, ids)]);
  return { cart, state: toState(read) };
}

const queries = (db: Database, draft: CheckoutDraft, productIds: SQL) => {
  const { userId, discountCodes } = draft;
  const buyer = buyerOf(draft);
  return [
    db
      .select({ ...getTableColumns(products), grantsFiles })
      .from(products)
      .where(sql`${products.id} IN ${productIds}`),
    db
      .select({
        walletBalance: users.walletBalance,
        walletLockedUntil: users.walletLockedUntil,
        emailVerifiedAt: users.emailVerifiedAt,
        taxExemptReason: users.taxExemptReason,
        heldUnpaid: heldUnpaid(userId),
      })
      .from(users)
      .where(eq(users.id, userId ?? 0)),
    selectWaitingOrders(db, draft),
    selectUnpaidUnits(db, draft, productIds),
    selectResent(db, draft),
    db
      .select()
      .from(addresses)
      .where(sql`user_id = ${userId} AND id IN (SELECT value FROM json_each(${JSON.stringify(addressIdsOf(draft))}))`),
    selectRules(db),
    selectDiscountsOf(db, discountCodes),
    selectHasOrdered(db, buyer),
    selectUses(db, buyer, discountCodes),
  ] as const;
};

type Queries = ReturnType<typeof queries>;

function toState(results: BatchResponse<Queries>): OrderState {
  const [found, [user], [waiting], unpaid, [resent], book, rules, discounts, [buyer], uses] = results;
  return {
    products: new Map(found.map((product) => [product.id, product])),
    user,
    ordersWaiting: waiting?.orders ?? 0,
    unpaidUnits: new Map(unpaid.map(({ productId, quantity }) => [productId, Number(quantity)])),
    resent: resent?.number,
    addressBook: new Map(book.map((address) => [address.id, address])),
    rules: requireFirst(rules),
    discounts,
    history: {
      hasOrdered: buyer?.hasOrdered ?? false,
      uses: new Map(uses.map(({ discountId, uses: times }) => [discountId, times])),
    },
  };
}
