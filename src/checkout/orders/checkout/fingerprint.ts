import { type Address, toShownAddress } from "../../../domain/address.ts";
import { hashSecret } from "../../../platform/auth/secrets.ts";
import type { NewOrder } from "./request-schemas.ts";

/** 132 bits. */
const FINGERPRINT_CHARACTERS = 33;

/** Who orders: the caller as `nameOf` has it, and the cart that a guest orders from. */
type Buyer = { actor: string; cartTokenHash: string | null };

/**
 * A hash that an order has in common with those of the same caller that say the same, however they are written: fields are
 * compared as they were validated, and lines in any order. A guest is known by what the order says of them.
 */
export function fingerprintOf({ actor, cartTokenHash }: Buyer, order: NewOrder): string {
  const { customer } = order;
  const lines = order.items
    .map(({ product_id, quantity, price }) => [product_id, quantity, price].join(":"))
    .toSorted();
  const said = [
    [actor, cartTokenHash, order.payment_method, order.expected_total ?? null],
    lines,
    customer ? [customer.email, customer.name] : null,
    [order.shipping_method ?? null, order.discount_codes?.toSorted() ?? [], order.tax_exempt_reason ?? null],
    saidOf(order.shipping_address) ?? order.shipping_address_id ?? null,
    saidOf(order.billing_address) ?? order.billing_address_id ?? null,
  ];
  return hashSecret(JSON.stringify(said)).slice(0, FINGERPRINT_CHARACTERS);
}

const saidOf = (address: Address | null | undefined) => address && Object.values(toShownAddress(address));
