import { and, desc, eq, getTableColumns, gt, ne, notInArray, type SQL, sql } from "drizzle-orm";
import type { BatchResponse } from "drizzle-orm/batch";
import { limits } from "../../../domain/limits.ts";
import { type Database, requireFirst } from "../../../platform/db/client.ts";
import { grantsFiles, offeredVariants } from "../../../platform/db/product-sql.ts";
import { addresses, orders, products, users } from "../../../platform/db/schema.ts";
import { type CartOwner, cartProductIds, selectCartLines } from "../../cart/public.ts";
import {
  type Discount,
  dependsOnBuyer,
  type ProductFacts,
  remember,
  rememberedDiscount,
  rememberedExemption,
  rememberedProduct,
  rememberedRules,
  selectDiscountsOf,
  selectHasOrdered,
  selectRules,
  selectUses,
} from "../../pricing/public.ts";
import { addressIdsOf, buyerOf, type CheckoutDraft, type OrderDraft } from "./draft.ts";
import type { OrderState, PricingFacts } from "./order-state.ts";
import { heldUnpaid, selectUnpaidUnits, selectWaitingOrders } from "./unpaid.ts";

/** Reads the database state that an order depends on, after a refusal or before a payment is opened. */
export async function readOrderState(db: Database, draft: CheckoutDraft): Promise<OrderState> {
  const ids = sql`(SELECT value FROM json_each(${JSON.stringify(draft.lines.map((line) => line.productId))}))`;
  return toState(await db.batch(queries(db, draft, ids)));
}

/** Reads the state that an order of a cart depends on, and the cart's lines: products and quantities. */
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
      .select({ ...getTableColumns(products), grantsFiles, variants: offeredVariants })
      .from(products)
      .where(sql`${products.id} IN ${productIds}`),
    db
      .select({
        role: users.role,
        erasedAt: users.erasedAt,
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
      .where(sql`${addresses.userId} = ${userId}
        AND ${addresses.id} IN (SELECT value FROM json_each(${JSON.stringify(addressIdsOf(draft))}))`),
    selectRules(db),
    selectDiscountsOf(db, discountCodes),
    selectHasOrdered(db, buyer, draft.editedOrderId),
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

/**
 * Returns the facts to price an order from, if this isolate has read all of them. Returns undefined if anything must be read.
 */
export function rememberedFacts(draft: OrderDraft): PricingFacts | undefined {
  const rules = rememberedRules();
  const discounts = new Map<string, Discount>();
  for (const code of draft.discountCodes) {
    const discount = rememberedDiscount(code);
    if (!discount) return undefined;
    discounts.set(code, discount);
  }
  const products = new Map<number, ProductFacts>();
  const isPlain = rules.version === "" && discounts.size === 0;
  for (const { productId } of isPlain ? [] : draft.lines) {
    const product = rememberedProduct(productId);
    if (!product) return undefined;
    products.set(productId, product);
  }
  const depends = rules.discounts.some(dependsOnBuyer) || (!isPlain && addressIdsOf(draft).length > 0);
  if (depends) return undefined;
  const accountExemption = draft.userId === null ? null : rememberedExemption(draft.userId);
  return { rules, products, discounts, history: undefined, addressBook: new Map(), accountExemption };
}

/**
 * Returns the facts just read and remembers them in the isolate. Products that are not for sale are not revealed, not even
 * through a price.
 */
export function readFacts({ userId }: Pick<OrderDraft, "userId">, state: OrderState): PricingFacts {
  const { rules, discounts, history, addressBook, user } = state;
  const products = new Map([...state.products].filter(([, { status }]) => status === "active"));
  const accountExemption = user?.taxExemptReason ?? null;
  const exemption = userId === null ? undefined : { userId, reason: accountExemption };
  remember({ rules, products, discounts, exemption });
  const byCode = new Map(discounts.flatMap((discount) => (discount.code === null ? [] : [[discount.code, discount]])));
  return { rules, products, discounts: byCode, history, addressBook, accountExemption };
}

/** Name and e-mail address of the buyer: a user's own, or those that the order names. */
const customerOf = ({ userId, customer }: CheckoutDraft): { name: SQL; email: SQL } =>
  userId === null
    ? { name: sql`${customer?.name ?? null}`, email: sql`${customer?.email ?? null}` }
    : {
        name: sql`(SELECT ${users.name} FROM ${users} WHERE ${users.id} = ${userId})`,
        email: sql`(SELECT ${users.email} FROM ${users} WHERE ${users.id} = ${userId})`,
      };

/** Query, for a batch, for the order that a draft repeats, matched as in the trigger order_no_resend. */
function selectResent(db: Database, draft: CheckoutDraft) {
  const { name, email } = customerOf(draft);
  return db
    .select({ number: orders.number })
    .from(orders)
    .where(
      and(
        sql`${orders.customerEmail} IS ${email} AND ${orders.customerName} IS ${name}`,
        sql`${orders.fingerprint} = ${draft.keyed ? null : draft.fingerprint}`,
        gt(orders.createdAt, draft.now - limits.RESEND_WINDOW_MS),
        notInArray(orders.status, ["cancelled", "expired", "refunded"]),
        ne(orders.paymentStatus, "failed"),
      ),
    )
    .orderBy(desc(orders.id))
    .limit(1);
}
