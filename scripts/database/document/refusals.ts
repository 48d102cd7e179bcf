import type { ErrorCode } from "../../../src/error-codes.ts";

/**
 * The error codes by which a caller learns of a violated rule; none where no request leads to it. A rule is what a trigger
 * raises, or the name of a CHECK.
 */
export const refusals: Record<string, readonly ErrorCode[]> = {
  account_erased: ["account_erased"],
  adjustment_changes_something: ["stock_unchanged"],
  audit_log_is_append_only: [],
  download_serves_its_bytes: ["link_exhausted"],
  downloads_used: ["downloads_used"],
  downloads_within_limit: ["download_denied", "below_use"],
  erasure_not_due: [],
  files_need_an_account: ["account_required"],
  last_administrator: ["last_administrator"],
  ledger_is_append_only: [],
  order_customer_is_final: [],
  order_move_not_allowed: ["move_not_allowed"],
  order_paid_already: [],
  order_resent: ["order_resent"],
  orders_open: ["orders_open"],
  package_ended: ["download_denied"],
  price_changed: ["price_changed"],
  product_unavailable: ["not_for_sale"],
  refund_exceeds_payment: [],
  revoked_api_key_is_final: [],
  row_changed: ["changed_meanwhile", "upload_expired"],
  shipping_address_required: ["required"],
  staff_cannot_be_erased: ["staff_cannot_be_erased"],
  staff_spending_limit: ["spending_limit"],
  stock_adjustments_are_append_only: [],
  stock_not_managed: ["stock_not_managed"],
  stock_not_negative: ["insufficient_stock", "stock_gone", "below_held", "negative_stock"],
  too_many_packages: ["too_many_packages"],
  too_many_pending: ["too_many_open_orders"],
  too_many_uploads: ["too_many_uploads"],
  too_much_unpaid: ["too_many_unpaid_units"],
  value_not_listed: [],
  wallet_not_empty: ["wallet_not_empty"],
  wallet_covers_charge: ["insufficient_funds", "negative_balance"],
  wallet_ledger_mismatch: [],
};
