import type { AddressRow, products, users } from "../../../platform/db/schema.ts";
import type { BuyerHistory, Discount, ProductFacts, Rules } from "../../pricing/public.ts";
import type { OrderAddress } from "./draft.ts";

/** A product as an order meets it. */
export type ProductState = ProductFacts &
  Pick<typeof products.$inferSelect, "name" | "sku" | "status" | "price" | "stockQuantity"> & {
    /** Whether a unit of it grants a download package. */
    grantsFiles: boolean;
  };

type UserState = Pick<
  typeof users.$inferSelect,
  "walletBalance" | "walletLockedUntil" | "emailVerifiedAt" | "taxExemptReason"
> & {
  heldUnpaid: number;
};

/** A product that is for sale: nobody is told of another one. */
export function offerOf(productId: number, { products }: Pick<OrderState, "products">): ProductState | undefined {
  const product = products.get(productId);
  return product?.status === "active" ? product : undefined;
}

/** What an order meets in the database: its products by id, its user, and what its price is calculated from. */
export type OrderState = {
  products: ReadonlyMap<number, ProductState>;
  user: UserState | undefined;
  /** What the buyer holds without having paid: orders, and units by product. */
  ordersWaiting: number;
  unpaidUnits: ReadonlyMap<number, number>;
  /** The number of the order that this one repeats. */
  resent: string | undefined;
  /** The buyer's addresses, by id, among those that the order refers to. */
  addressBook: ReadonlyMap<number, AddressRow>;
  rules: Rules;
  /** Those of the order's codes. */
  discounts: readonly Discount[];
  history: BuyerHistory;
};

/** What a price is calculated from: remembered, or read just now with the buyer's `history`. */
export type PricingFacts = {
  rules: Rules;
  products: ReadonlyMap<number, ProductFacts>;
  /** By their codes. */
  discounts: ReadonlyMap<string, Discount>;
  history: BuyerHistory | undefined;
  addressBook: ReadonlyMap<number, AddressRow>;
  /** Why the account is not taxed. */
  accountExemption: string | null;
};

/** An address of the address book that is not there is somewhere else's problem. */
export const addressOf = (address: OrderAddress, { addressBook }: PricingFacts) =>
  address && "id" in address ? (addressBook.get(address.id) ?? null) : address;
