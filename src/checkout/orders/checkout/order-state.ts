import type { OfferedVariants } from "../../../domain/error-codes.ts";
import type { AddressRow, products, users } from "../../../platform/db/schema.ts";
import type { BuyerHistory, Discount, ProductFacts, Rules } from "../../pricing/public.ts";
import type { DraftLine, OrderAddress } from "./draft.ts";

/** A product as an order sees it. */
export type ProductState = ProductFacts &
  Pick<
    typeof products.$inferSelect,
    "name" | "sku" | "optionValues" | "status" | "price" | "stockQuantity" | "options"
  > & {
    /** True if buying a unit grants a download package. */
    grantsFiles: boolean;
    /** Active variants, which are sold in the product's place. */
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
    if (line.kept) return line;
    const price = offerOf(line.productId, state)?.price;
    if (price === undefined) return line;
    return line.listPrice === undefined ? { ...line, unitPrice: price } : { ...line, listPrice: price };
  });

/** The database state that an order depends on: its products by id, its user, and the facts its price is calculated from. */
export type OrderState = {
  products: ReadonlyMap<number, ProductState>;
  user: UserState | undefined;
  /** The buyer's unpaid orders, and the units they hold by product. */
  ordersWaiting: number;
  unpaidUnits: ReadonlyMap<number, number>;
  /** Number of the order that this one repeats, if any. */
  resent: string | undefined;
  /** The buyer's addresses that the order refers to, by id. */
  addressBook: ReadonlyMap<number, AddressRow>;
  rules: Rules;
  /** The discounts of the order's codes. */
  discounts: readonly Discount[];
  history: BuyerHistory;
};

/** The facts that a price is calculated from, remembered or just read with the buyer's `history`. */
export type PricingFacts = {
  rules: Rules;
  products: ReadonlyMap<number, ProductFacts>;
  /** Discounts by code. */
  discounts: ReadonlyMap<string, Discount>;
  history: BuyerHistory | undefined;
  addressBook: ReadonlyMap<number, AddressRow>;
  /** Why the account is tax-exempt. Null if it is not. */
  accountExemption: string | null;
};

/** Returns the address. A missing address book entry is reported elsewhere. */
export const addressOf = (address: OrderAddress, { addressBook }: PricingFacts) =>
  address && "id" in address ? (addressBook.get(address.id) ?? null) : address;
