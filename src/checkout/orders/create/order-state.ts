import { and, desc, eq, getTableColumns, gt, ne, notInArray, type SQL, sql } from "drizzle-orm";
import type { BatchResponse } from "drizzle-orm/batch";
import { type CurrentPage, selectPages } from "../../../catalogue/pages/public.ts";
import type { OfferedVariants } from "../../../domain/error-codes.ts";
import { limits } from "../../../domain/limits.ts";
import type { SettingsContext } from "../../../platform/auth/caller.ts";
import { type Database, requireFirst } from "../../../platform/db/client.ts";
import { grantsFiles, offeredVariants } from "../../../platform/db/product-sql.ts";
import { type AddressRow, addresses, orders, products, users, type VatCheck } from "../../../platform/db/schema.ts";
import { type CartOwner, cartProductIds, selectCartLines } from "../../cart/public.ts";
import {
  type BuyerHistory,
  type Discount,
  dependsOnBuyer,
  type ProductFacts,
  type Rules,
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
import { checkVatId } from "../../taxes/public.ts";
import { endedStatuses } from "../ended-statuses.ts";
import { withdrawalDays } from "../returns/period.ts";
import {
  addressAsJson,
  addressIdsOf,
  buyerOf,
  type CheckoutDraft,
  type DraftLine,
  type OrderAddress,
  type OrderDraft,
} from "./draft.ts";
import { heldUnpaid, selectUnitsOfNetwork, selectUnpaidUnits, selectWaitingOrders } from "./unpaid.ts";

/** A product as an order sees it. */
export type ProductState = ProductFacts &
  Pick<
    typeof products.$inferSelect,
    "name" | "sku" | "optionValues" | "status" | "price" | "stockQuantity" | "options" | "withdrawal" | "license"
  > & {
    /** True if buying a unit grants a download package. */
    grantsFiles: boolean;
    /** True if a download ends the right of withdrawal, which needs the buyer's consent. */
    needsConsent: boolean;
    /** Active variants, which are sold instead of the product. */
    variants: OfferedVariants;
  };

type UserState = Pick<
  typeof users.$inferSelect,
  "role" | "erasedAt" | "walletBalance" | "walletLockedUntil" | "emailVerifiedAt" | "taxExemptReason"
> & {
  heldUnpaid: number;
};

/** Returns a product that is for sale. Other products are never revealed. */
export function offerOf(productId: number, { products }: Pick<OrderState, "products">): ProductState | undefined {
  const product = products.get(productId);
  return product?.status === "active" ? product : undefined;
}

/** Applies current catalogue prices, even if the buyer saw others. Prices that staff set or an edit keeps stay. */
export const atCurrentPrices = (lines: readonly DraftLine[], state: Pick<OrderState, "products">): DraftLine[] =>
  lines.map((line) => {
    const price = offerOf(line.productId, state)?.price;
    if (line.kept) return { ...line, kept: { ...line.kept, currentPrice: price } };
    if (price === undefined) return line;
    return line.listPrice === undefined ? { ...line, unitPrice: price } : { ...line, listPrice: price };
  });

/** The database state that an order depends on: its products by id, its user, and the facts its price is calculated from. */
export type OrderState = {
  products: ReadonlyMap<number, ProductState>;
  user: UserState | undefined;
  /** The buyer's unpaid orders, and the units by product that they and those of the buyer's network hold. */
  ordersWaiting: number;
  unpaidUnits: ReadonlyMap<number, number>;
  networkUnits: ReadonlyMap<number, number>;
  /** Number of the order that this one repeats, if any. */
  resent: string | undefined;
  /** The buyer's addresses that the order refers to, by id. */
  addressBook: ReadonlyMap<number, AddressRow>;
  rules: Rules;
  /** The discounts of the order's codes. */
  discounts: readonly Discount[];
  history: BuyerHistory;
  /** The shop's pages in each language, the buyer's first. */
  pages: readonly CurrentPage[];
  vatCheck: VatCheck | null;
};

/** The data from which a price is calculated, cached or just read with the buyer's `history`. */
export type PricingFacts = {
  rules: Rules;
  products: ReadonlyMap<number, ProductFacts>;
  /** Discounts by code. */
  discounts: ReadonlyMap<string, Discount>;
  history: BuyerHistory | undefined;
  addressBook: ReadonlyMap<number, AddressRow>;
  /** Why the account is tax-exempt. Null if it is not. */
  accountExemption: string | null;
  /** Check of the VAT ID in the billed address. Null if it has no effect on taxes. */
  vatCheck: VatCheck | null;
};

/** Returns the address. A missing address book entry is reported elsewhere. */
export const addressOf = (address: OrderAddress, { addressBook }: Pick<PricingFacts, "addressBook">) =>
  address && "id" in address ? (addressBook.get(address.id) ?? null) : address;

/** The address on the order's invoice. */
export const billedAddress = (draft: CheckoutDraft, facts: Pick<PricingFacts, "addressBook">) =>
  addressOf(draft.billingAddress ?? draft.shippingAddress, facts);

/** Reads the database state on which an order depends, after a refusal or before a payment is opened. */
export async function readOrderState(ctx: SettingsContext, draft: CheckoutDraft): Promise<OrderState> {
  const { db } = ctx;
  const ids = sql`(SELECT value FROM json_each(${JSON.stringify(draft.lines.map((line) => line.productId))}))`;
  return withVatCheck(ctx, draft, toState(await db.batch(queries(db, draft, ids))));
}

/** Checks the VAT ID of the billed address, or keeps the check of an edited order. */
async function withVatCheck(ctx: SettingsContext, draft: CheckoutDraft, state: OrderState): Promise<OrderState> {
  const vatId = billedAddress(draft, state)?.vat_id;
  if (!vatId) return state;
  const isKept = draft.vatCheck?.status === "valid" && draft.vatCheck.vatId === vatId;
  return { ...state, vatCheck: isKept ? (draft.vatCheck ?? null) : await checkVatId(ctx, state.rules, vatId) };
}

/** Reads the state on which an order of a cart depends, and the cart's lines: products and quantities. */
export async function readCartState(ctx: SettingsContext, draft: CheckoutDraft, owner: CartOwner) {
  const { db } = ctx;
  const ids = cartProductIds(owner, draft.now);
  const [cart, ...read] = await db.batch([selectCartLines(db, owner, draft.now), ...queries(db, draft, ids)]);
  return { cart, state: await withVatCheck(ctx, draft, toState(read)) };
}

const queries = (db: Database, draft: CheckoutDraft, productIds: SQL) => {
  const { userId, discountCodes } = draft;
  const buyer = buyerOf(draft);
  return [
    db
      .select({ ...getTableColumns(products), grantsFiles, needsConsent, variants: offeredVariants })
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
    selectUnitsOfNetwork(db, draft, productIds),
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
    selectPages(db, draft.language),
  ] as const;
};

/** License keys that come without goods are delivered as downloads are. */
const isDownloaded = sql`(${grantsFiles} OR ${products.license} IS NOT NULL AND NOT ${products.requiresShipping})`;

/** Only shops that offer withdrawal need consent. */
const needsConsent = sql`${isDownloaded} AND ${withdrawalDays} > 0`.mapWith(Boolean);

type Queries = ReturnType<typeof queries>;

function toState(results: BatchResponse<Queries>): OrderState {
  const [found, [user], [waiting], unpaid, ofNetwork, [resent], book, rules, discounts, [buyer], uses, pages] = results;
  return {
    products: new Map(found.map((product) => [product.id, product])),
    user,
    ordersWaiting: waiting?.orders ?? 0,
    unpaidUnits: unitsByProduct(unpaid),
    networkUnits: unitsByProduct(ofNetwork),
    resent: resent?.number,
    addressBook: new Map(book.map((address) => [address.id, address])),
    rules: requireFirst(rules),
    discounts,
    pages,
    history: {
      hasOrdered: buyer?.hasOrdered ?? false,
      uses: new Map(uses.map(({ discountId, uses: times }) => [discountId, times])),
    },
    vatCheck: null,
  };
}

const unitsByProduct = (held: { productId: number; quantity: string | null }[]) =>
  new Map(held.map(({ productId, quantity }) => [productId, Number(quantity)]));

/**
 * Returns the data to price an order from, if this isolate has cached all of it. Returns undefined if anything must be
 * read.
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
  if (depends || billedAddress(draft, { addressBook: new Map() })?.vat_id) return undefined;
  const accountExemption = draft.userId === null ? null : rememberedExemption(draft.userId);
  return { rules, products, discounts, history: undefined, addressBook: new Map(), accountExemption, vatCheck: null };
}

/**
 * Returns the data just read and caches it in the isolate. Products that are not for sale are not revealed, not even
 * through a price.
 */
export function readFacts({ userId }: Pick<OrderDraft, "userId">, state: OrderState): PricingFacts {
  const { rules, discounts, history, addressBook, user, vatCheck } = state;
  const products = new Map([...state.products].filter(([, { status }]) => status === "active"));
  const accountExemption = user?.taxExemptReason ?? null;
  const exemption = userId === null ? undefined : { userId, reason: accountExemption };
  remember({ rules, products, discounts, exemption });
  const byCode = new Map(discounts.flatMap((discount) => (discount.code === null ? [] : [[discount.code, discount]])));
  return { rules, products, discounts: byCode, history, addressBook, accountExemption, vatCheck };
}

/** Name and e-mail address of the buyer: a user's own, or those in the order. */
const customerOf = ({ userId, customer }: CheckoutDraft): { name: SQL; email: SQL } =>
  userId === null
    ? { name: sql`${customer?.name ?? null}`, email: sql`${customer?.email ?? null}` }
    : {
        name: sql`(SELECT ${users.name} FROM ${users} WHERE ${users.id} = ${userId})`,
        email: sql`(SELECT ${users.email} FROM ${users} WHERE ${users.id} = ${userId})`,
      };

/** Query, for a batch, for the order that a draft repeats. The trigger order_no_resend refuses it. */
function selectResent(db: Database, draft: CheckoutDraft) {
  const { name, email } = customerOf(draft);
  return db
    .select({ number: orders.number })
    .from(orders)
    .where(
      and(
        sql`${orders.customerEmail} IS ${email} AND ${orders.customerName} IS ${name}`,
        sql`${orders.shippingAddress} ->> 'address' IS ${addressAsJson(draft.shippingAddress)} ->> 'address'`,
        sql`${orders.fingerprint} = ${draft.keyed ? null : draft.fingerprint}`,
        gt(orders.createdAt, draft.now - limits.RESEND_WINDOW_MS),
        notInArray(orders.status, [...endedStatuses]),
        ne(orders.paymentStatus, "failed"),
      ),
    )
    .orderBy(desc(orders.id))
    .limit(1);
}
