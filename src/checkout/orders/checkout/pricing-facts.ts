import type { AddressRow } from "../../../platform/db/schema.ts";
import type { BuyerHistory, Discount, ProductFacts, Rules } from "../../pricing/public.ts";
import type { OrderAddress } from "./draft.ts";

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
