import { violates } from "../../platform/db/statements.ts";

/**
 * Rules that the database enforces against an order whose data changed after it was read. Reading the data again finds
 * the reason. Any other rule means that the code let something through, which is a fault.
 */
const rules = [
  "row_changed",
  // A draft or session was placed at the same time.
  "orders.reference",
  // A line has no order if the pricing rules changed, and no name if its product did.
  "order_items.order_id",
  "order_items.name",
  "choose_variant",
  "discount_changed",
  "discount_for_first_order",
  "discount_not_current",
  "discount_used_by_customer",
  "discount_used_up",
  "email_not_verified",
  "files_need_an_email",
  "order_resent",
  "price_changed",
  "product_unavailable",
  "renewal_not_possible",
  "shipping_address_required",
  "stock_not_negative",
  "too_many_packages",
  "too_many_pending",
  "too_much_unpaid",
  "too_much_unverified",
  "wallet_covers_charge",
  "wallet_locked",
  "wallet_not_negative",
];

/** True if the database refused an order because its data is outdated. */
export const isOutdated = (error: unknown): boolean => rules.some((rule) => violates(error, rule));
