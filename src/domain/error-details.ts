import type { ErrorCode } from "./error-codes.ts";

/** The further members that a detail may have beside its field and code. */
export type DetailMembers = {
  price: number;
  available: number;
  balance: number;
  limit: number;
  held: number;
  expected: string;
  allowed: readonly (string | number | boolean | null)[];
  permission: string;
  denied_reason: string;
  order_number: string;
  subtotal: number;
  discount_total: number;
  shipping_total: number;
  tax_total: number;
  total: number;
  oldest_id: number;
  until: string;
};

/** Which facts go with a code: always those, and no others. */
export const detailMembers = {
  price_changed: ["price"],
  total_changed: ["subtotal", "discount_total", "shipping_total", "tax_total", "total"],
  insufficient_stock: ["available"],
  exceeds_refundable: ["available"],
  exceeds_unsent: ["available"],
  insufficient_funds: ["balance"],
  wallet_locked: ["until"],
  below_held: ["held"],
  too_many_unpaid_units: ["limit"],
  too_many_open_orders: ["limit"],
  too_many_packages: ["limit"],
  cart_full: ["limit"],
  too_many_saved_views: ["limit"],
  too_many_webhooks: ["limit"],
  spending_limit: ["limit"],
  payload_too_large: ["limit"],
  too_small: ["limit"],
  too_big: ["limit"],
  invalid_type: ["expected"],
  invalid_value: ["allowed"],
  unsupported_media_type: ["allowed"],
  move_not_allowed: ["allowed"],
  insufficient_scope: ["permission"],
  download_denied: ["denied_reason"],
  order_resent: ["order_number"],
  cursor_expired: ["oldest_id"],
} as const satisfies Partial<Record<ErrorCode, readonly (keyof DetailMembers)[]>>;

type CodeFacts = typeof detailMembers;

/** The last argument of `fieldError`: there for the codes that have facts. */
export type DetailMembersOf<Code extends ErrorCode> = Code extends keyof CodeFacts
  ? [facts: Pick<DetailMembers, CodeFacts[Code][number]>]
  : [];
