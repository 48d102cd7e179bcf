// The codes of refusals. They are part of the contract: a code may be added, but none is renamed or given another meaning.

/** Reasons to refuse a request: `code` of the envelope. Each may also appear in `details`, at its field. */
export const refusalCodes = {
  // 400: the request itself
  validation_failed: "At least one field is not valid. `details` lists each problem",
  invalid_json: "The body is not JSON, or not valid UTF-8",
  price_changed: "The price of a product has changed. `price` is the current price",
  insufficient_stock: "Not enough stock. `available` is the number of units left, 0 if out of stock",
  total_changed:
    "The total differs from `expected_total`. `total` is the current total and the other members are its parts",
  shipping_unavailable: "The shop does not ship to this address",
  no_shipping_method: "No shipping method of the address's zone fits the order",
  unknown_discount_code: "The discount code does not exist",
  discount_not_applicable: "The discount does not apply to this order, customer or date",
  discount_used_up: "The discount has reached its limit of uses, in total or for this customer",
  unknown_gift_card: "The shop did not issue this gift card",
  gift_card_ended: "The gift card was used up, refunded or disabled",
  discount_code_taken: "The code belongs to another discount",
  place_taken: "The country or region belongs to another shipping zone",
  tax_rate_exists: "A tax rate with this name and class exists for this place",
  not_for_sale: "The product does not exist or is not active",
  choose_variant:
    "The product is sold in variants. Send the product id of one of the first 100 in `variants`; there are `variants_total`",
  account_required: "The payment method requires a user account",
  method_not_offered: "The shop does not offer this payment method",
  insufficient_funds: "The balance of the wallet or gift card is too low. `balance` is the current balance",
  wallet_locked:
    "The wallet is locked because an administrator changed the account's e-mail address. `until` is when the lock ends",
  negative_balance: "The debit exceeds the wallet balance",
  negative_stock: "The adjustment would make the stock negative",
  stock_not_managed: "Stock of this product is not managed",
  below_held: "The counted stock is lower than the units of unshipped orders. `held` is the number of these units",
  too_many_unpaid_units:
    "Too many unpaid units of a product. `limit` is the number allowed. Orders that are paid immediately may be larger",
  too_many_open_orders: "Too many unpaid orders. `limit` is the number allowed",
  email_not_verified: "The account's e-mail address has to be verified first",
  too_many_packages: "The order contains too many units that grant downloads. `limit` is the number allowed",
  exceeds_returnable: "More units than can be returned. `available` is the number of units left",
  exceeds_refundable: "The refund exceeds what is left. `available` is the remaining amount or number of units",
  exceeds_unsent: "More units than are waiting to be shipped. `available` is the number of these",
  cart_full: "The cart is full. `limit` is the number of different products allowed",
  payment_not_possible: "The payment provider does not accept this amount",
  invalid_signature: "The signature of the webhook is not valid",
  email_taken: "An account with this e-mail address exists",
  already_invited: "The address already has an invitation",
  already_staff: "The address belongs to staff",
  account_disabled: "The address belongs to a disabled account",
  slug_taken: "The slug is already used",
  name_taken: "The name is already used",
  external_id_taken: "The external id already belongs to another record of the kind",
  url_taken: "Another webhook with this address already receives some of these event types",
  sku_taken: "The SKU is already used by another product",
  option_values_taken: "Another variant of the product has these option values",
  too_many_variants: "The product has the maximum number of variants. `limit` is this number",
  link_ended: "The link was already used, has expired, or was replaced by a newer one",
  wrong_password: "The current password is not correct",
  wrong_code: "The code is not correct or was already used",
  checksum_mismatch: "The SHA-256 of the received bytes differs from the one sent",
  content_mismatch: "The content of the file does not match its name or type",
  cursor_expired: "The events after this cursor have been deleted. `oldest_id` is the oldest event available",

  // 401 and 403: the caller
  unauthorized: "A credential is required",
  invalid_token: "The credential is malformed, unknown, expired or revoked",
  invalid_credentials: "The e-mail address or the password is not correct",
  invalid_challenge: "The sign-in took too long or had too many wrong codes. Start again with the password",
  invalid_code: "The code is not correct or was already used",
  invalid_refresh_token: "The refresh token is unknown, expired or spent",
  address_not_allowed: "The API key may not be used from the address of this connection",
  origin_not_allowed: "The API key may not be used by pages of this origin, or by a caller without one",
  live_key_required: "A test key cannot do this: it would change more than test orders and carts",
  insufficient_scope: "The API key or the user's role lacks a permission. `permission` is the required one",
  own_session_required: "No app can do this for a shopper, whatever its scopes. The shopper signs in",
  user_token_required: "This requires a user token. API keys cannot use it",
  staff_only: "This is only available to staff",
  administrators_only: "This is only available to administrators",
  reauthentication_required:
    "The last authentication was more than ten minutes ago. Call `POST /auth/reauthenticate`, then repeat the request",
  two_factor_required: "The shop requires a second factor of its staff. Set one up: `POST /account/two-factor`",
  download_denied: "The caller may not download the file. `denied_reason` is the reason",
  invalid_link: "The download link is not valid or has expired",
  link_not_yours: "The download link belongs to another account or API key",
  link_exhausted: "The download link has reached its usage limit",
  link_outdated: "The file was replaced. The download link belongs to an earlier version",
  cross_site_request: "The form was sent from another site",

  // 404 to 416: the resource and its representation
  not_found: "The resource does not exist, or the caller may not see it",
  method_not_allowed: "The method is not supported. `Allow` lists the supported methods",
  payload_too_large: "The body is too large. `limit` is the maximum size in bytes",
  unsupported_media_type: "The content type is not accepted. `allowed` lists the accepted types",
  range_not_satisfiable: "The requested range lies outside the file",

  // 409 and 412: conflicts with the current state
  move_not_allowed: "The order cannot move to this status. `allowed` lists the possible statuses",
  already_paid: "The order is already paid",
  not_invoiceable: "The order cannot have an invoice, or the shop has no address to name on it",
  units_in_return: "Units are in an open return. Settle or decline it first",
  too_many_returns: "The order has the maximum number of returns. `limit` is that number",
  downloads_used:
    "A download of the order was used, so the buyer cannot cancel it, and an edit cannot remove the units it belongs to",
  gift_card_in_use:
    "A gift card of the order was redeemed, or is still valid. Unredeemed units can be refunded, and the balance of a disabled card",
  order_not_editable: "The order can no longer be edited: part of it was shipped or refunded, or it has ended",
  order_sent: "The order has been shipped, so its address cannot change",
  order_not_sent: "The order has not been shipped, so there is no shipment to correct",
  spending_limit:
    "The amount exceeds what the person may still move or give away in 24 hours. `limit` is the amount for 24 hours, `available` what is left of it",
  stock_gone: "The stock was sold in the meantime, so the order cannot be paid",
  draft_placed: "The draft is already an order. Change the order instead",
  order_resent:
    "An identical order, `order_number`, was placed seconds ago. Send an Idempotency-Key to order again on purpose",
  idempotency_key_reused: "The Idempotency-Key was already used for a different request",
  idempotency_key_in_use: "A request with this Idempotency-Key is still in progress",
  changed_meanwhile: "The resource was changed at the same time. Read it again and retry",
  in_use: "The resource is in use and cannot be deleted",
  set_by_deployment: "The deployment's secrets take precedence. Change or remove them there",
  already_set_up: "Shipping zones or tax rates already exist. Presets apply only to an empty configuration",
  backups_not_set_up: "The deployment has no bucket for backups",
  wrong_job_state: "The state of the job or import does not allow the request",
  revoked: "The resource was revoked permanently",
  api_key_not_active: "The API key was revoked or has expired",
  staff_cannot_be_erased:
    "Staff accounts cannot be erased. Remove the role first. An account that will be erased cannot get a role",
  wallet_not_empty: "The account cannot be erased because its wallet is not empty",
  orders_open: "The account cannot be erased because it has an unpaid or unshipped order",
  account_erased: "The account was permanently erased",
  last_administrator: "The last active administrator cannot be removed",
  not_invitable: "The customer already has a password, or the account is disabled",
  own_two_factor: "Disable your own second factor with a code: `POST /account/two-factor/disable`",
  two_factor_enabled: "The account already has a second factor",
  two_factor_not_enabled: "The account has no second factor, or none waiting for confirmation",
  too_many_addresses: "The address book is full",
  too_many_saved_views: "The list has the maximum number of saved views. `limit` is that number",
  too_many_webhooks: "The maximum number of webhooks exists. `limit` is that number",
  webhook_disabled: "The webhook is disabled or paused. Enable it first",
  delivery_waits: "An earlier delivery about the same resource is pending and has to be delivered first",
  replay_pending: "An earlier replay of the webhook still has pending deliveries",
  too_many_uploads: "Too many uploads are open",
  upload_incomplete: "Parts of the upload have not arrived",
  upload_complete: "The upload is complete",
  upload_expired: "The upload has expired. Start it again",
  precondition_failed: "The resource has changed since the version sent in `If-Match`",

  // 429 and above: retry later
  rate_limited: "Too many requests. Wait for the seconds in `Retry-After`",
  too_many_attempts: "Too many wrong passwords or codes for the account. Wait for the seconds in `Retry-After`",
  storage_used_up:
    "The account or key has reached its daily storage limit for unpaid data. Wait for the seconds in `Retry-After`",
  internal_error: "An unexpected error occurred",
  service_unavailable: "The service is temporarily unavailable. Wait for the seconds in `Retry-After`",
  provider_unavailable: "The payment provider is temporarily unavailable. Wait for the seconds in `Retry-After`",
} as const;

/** Errors of a field, only in `details`. The request as a whole is `validation_failed`. */
export const fieldCodes = {
  required: "The field is missing",
  unknown_field: "The field or parameter does not exist",
  invalid_type: "The value has the wrong type. `expected` is the right one",
  invalid_value: "The value is not one of `allowed`",
  invalid_format: "The format is not valid",
  too_small: "The value is below `limit`, or has fewer characters or items",
  too_big: "The value is above `limit`, or has more characters or items",
  invalid: "The value breaks the rule described in `errors`",
  too_precise: "The value has too many decimals: money has those of its currency, a percentage at most four",
  in_the_past: "The time is not in the future",
  too_common: "The password is one of the most common",
  nothing_to_change: "The request contains nothing to change",
  not_applicable: "The field does not apply to this resource or caller",
  read_only: "The field cannot be changed here or by this caller",
  unknown_reference: "The value refers to something that does not exist",
  below_use: "The value is lower than what has already been used",
  misplaced: "The field was sent in the wrong position",
  repeated: "The value was sent more than once, or before",
  incomplete: "The content ended before it was complete",
  stale: "The value refers to an earlier version",
} as const;

export type RefusalCode = keyof typeof refusalCodes;
export type ErrorCode = RefusalCode | keyof typeof fieldCodes;

/** Further members of an error detail besides its field and code. */
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
  variants: readonly OfferedVariant[];
  variants_total: number;
};

/** The first active variants of the product with an id, and how many there are. */
export type OfferedVariants = { id: number; total: number; first: readonly OfferedVariant[] };

/** A variant to choose, in the detail of a refused product. */
type OfferedVariant = {
  product_id: number;
  sku: string;
  option_values: { name: string; value: string }[];
  price: number;
  in_stock: boolean;
};

/** The data of each code. All of it is always present, and nothing else. */
export const detailMembers = {
  price_changed: ["price"],
  total_changed: ["subtotal", "discount_total", "shipping_total", "tax_total", "total"],
  insufficient_stock: ["available"],
  exceeds_refundable: ["available"],
  exceeds_returnable: ["available"],
  too_many_returns: ["limit"],
  exceeds_unsent: ["available"],
  insufficient_funds: ["balance"],
  wallet_locked: ["until"],
  below_held: ["held"],
  too_many_unpaid_units: ["limit"],
  too_many_open_orders: ["limit"],
  too_many_packages: ["limit"],
  choose_variant: ["variants", "variants_total"],
  cart_full: ["limit"],
  too_many_variants: ["limit"],
  too_many_saved_views: ["limit"],
  too_many_webhooks: ["limit"],
  spending_limit: ["limit", "available"],
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

/** Type of the last argument of `fieldError`, required for codes that have data. */
export type DetailMembersOf<Code extends ErrorCode> = Code extends keyof CodeFacts
  ? [facts: Pick<DetailMembers, CodeFacts[Code][number]>]
  : [];
