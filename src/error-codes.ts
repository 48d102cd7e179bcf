// The codes of refusals. They are part of the contract: a code may be added, but none is renamed or given another meaning.

/** Why a request was refused: `code` of the envelope. Each may also stand in `details`, at the field it is about. */
export const refusalCodes = {
  // 400: what was sent
  validation_failed: "Fields are wrong: `details` says how each is",
  invalid_json: "The body is not JSON",
  price_changed: "A product has another price than the one sent: `price` is the price now",
  insufficient_stock: "There are fewer than asked for: `available` is how many there are, 0 when it is out of stock",
  total_changed:
    "The order costs another total than `expected_total`, which is `total`: its parts are the other members",
  shipping_unavailable: "Nothing is sent to the address: it is in no shipping zone",
  no_shipping_method: "The address's shipping zone has no shipping method for the order",
  unknown_discount_code: "There is no such discount code",
  discount_not_applicable: "The discount is not for this order, this customer or this day",
  discount_used_up: "The discount has been used as often as it may, by everybody or by the customer",
  discount_code_taken: "The code belongs to another discount",
  place_taken: "The country or region belongs to another shipping zone",
  tax_rate_exists: "The place has a rate of that name and class",
  not_for_sale: "The product does not exist or is not active",
  account_required: "This is sold or paid with a user token only",
  insufficient_funds: "The wallet holds less than the order costs: `balance` is what it holds",
  negative_balance: "The debit takes more than the wallet holds",
  negative_stock: "The adjustment takes more than there is in stock",
  stock_not_managed: "The stock of the product is not managed",
  below_held: "Less was counted than orders hold that are not sent yet: `held` is how many units they hold",
  stock_unchanged: "The stock is already what was counted",
  too_many_unpaid_units:
    "More of a product than may wait to be paid: `limit` is how many may. What is paid at once may be more",
  too_many_open_orders: "So many orders wait to be paid that no other may: `limit` is how many may wait",
  email_not_verified: "The account's e-mail address is not verified, which this needs",
  too_many_packages: "The order would grant more download packages than one may: `limit` is how many",
  exceeds_refundable: "Less is left to refund: `available` is how much money, or how many units",
  cart_full: "The cart has as many lines as it may: `limit` is how many",
  payment_not_possible: "The payment provider does not take payments of this amount",
  invalid_signature: "The webhook was not signed by the provider",
  email_taken: "The e-mail address belongs to an account",
  slug_taken: "The slug belongs to something else of its kind",
  sku_taken: "The SKU belongs to another product",
  link_ended: "The link of an e-mail was used, has ended, or a newer one was sent",
  wrong_password: "The current password is another one",
  wrong_code: "The code of the second factor is wrong, or was used before",
  checksum_mismatch: "The bytes that arrived have another SHA-256",
  content_mismatch: "The content of the file is not what its name or type says",
  cursor_expired: "What follows the cursor is kept no longer: `oldest_id` is the oldest that is",

  // 401 and 403: who asks
  unauthorized: "A credential is needed, and none was sent",
  invalid_token: "The credential is malformed, unknown, expired or revoked",
  invalid_credentials: "The e-mail address or the password is wrong",
  invalid_challenge: "The login took too long, or too many codes were wrong: it begins again with the password",
  invalid_code: "The code of the second factor is wrong, or was used before",
  invalid_refresh_token: "The refresh token is unknown, expired or spent",
  insufficient_scope:
    "The API key, or the role of the user, lacks a permission: `permission` is the one that is needed",
  user_token_required: "This belongs to a person: an API key has none of it",
  administrators_only: "This is for administrators",
  reauthentication_required:
    "The password or a code was shown more than ten minutes ago: show one at `POST /auth/reauthenticate`, and ask again",
  download_denied: "The file may not be downloaded: `denied_reason` says why",
  invalid_link: "The download link is not valid or has expired",
  link_not_yours: "The download link was made for another account or API key",
  link_exhausted: "The download link has served its file three times over",
  link_outdated: "The file has new content: the download link is for the earlier one",
  cross_site_request: "The form was sent from another site",

  // 404 to 416: what is asked for, and how
  not_found: "It does not exist, or is not yours to see",
  method_not_allowed: "The address does not answer this method: `Allow` names those that it does",
  payload_too_large: "The body is too large: `limit` is how many bytes it may have",
  unsupported_media_type: "The body is of another type than those that are taken, which are `allowed`",
  range_not_satisfiable: "The range lies outside the file",

  // 409 and 412: the state of things
  move_not_allowed: "The order cannot become that from what it is: it can become what is `allowed`",
  already_paid: "The order was paid already",
  downloads_used: "A download of the order was used, so its buyer cannot cancel it",
  order_sent: "The order was sent, so its address cannot change",
  order_not_sent: "The order was not sent, so there is no shipment to correct",
  spending_limit: "It moves more money than the role may in 24 hours, which is `limit`",
  stock_gone: "The stock of the order was sold meanwhile, so it cannot be paid",
  order_resent:
    "An equal order was placed seconds ago, `order_number`: to order again on purpose, send an Idempotency-Key",
  idempotency_key_reused: "The Idempotency-Key was used for another request",
  idempotency_key_in_use: "A request with the Idempotency-Key is under way",
  changed_meanwhile: "It was changed in the same instant: read it and try again",
  in_use: "Something else refers to it, so it cannot be deleted",
  already_set_up: "There are shipping zones or tax rates already, beside which a preset writes nothing",
  revoked: "It was revoked for good",
  api_key_not_active: "The API key was revoked or has expired",
  staff_cannot_be_erased: "The account has a role of staff, which is taken away first, or will be erased and gets none",
  wallet_not_empty: "The account has money in its wallet, so it is not erased",
  orders_open: "The account has an order that is not paid or not sent, so it is not erased",
  account_erased: "The account was erased for good",
  last_administrator: "There would be no active administrator left",
  own_two_factor:
    "It is the caller's own second factor, which is disabled with a code: `POST /account/two-factor/disable`",
  two_factor_enabled: "The account has a second factor already",
  two_factor_not_enabled: "The account has no second factor, or none that waits to be confirmed",
  too_many_addresses: "The address book has as many addresses as it may",
  too_many_webhooks: "There are as many webhooks as there may be, which is `limit`",
  webhook_disabled: "The webhook is disabled, or was paused: it is enabled first",
  delivery_waits: "An earlier delivery of the same subject is pending, which this one follows",
  too_many_uploads: "As many uploads are open as there may be",
  upload_incomplete: "Parts of the upload have not arrived",
  upload_complete: "The upload is complete",
  upload_expired: "The upload took too long, and begins again",
  precondition_failed: "It has another version than `If-Match` names",

  // 429 and above: try again
  rate_limited: "Too many requests: wait as long as `Retry-After` says",
  too_many_attempts: "Too many wrong passwords or codes for the account: wait as long as `Retry-After` says",
  internal_error: "Something went wrong on our side",
  service_unavailable: "The service is out of reach for a moment: wait as long as `Retry-After` says",
  provider_unavailable: "The payment provider is out of reach for a moment: wait as long as `Retry-After` says",
} as const;

/** What is wrong with a field: only in `details`. The request as a whole is `validation_failed`. */
export const fieldCodes = {
  required: "It is missing",
  unknown_field: "There is no such field or parameter",
  invalid_type: "It has another type than `expected`",
  invalid_value: "It is none of the values that are `allowed`",
  invalid_format: "It is not written as it has to be",
  too_small: "It is less, or has fewer characters or items, than `limit`",
  too_big: "It is more, or has more characters or items, than `limit`",
  invalid: "It breaks a rule that the sentence in `errors` names",
  too_precise: "It has more decimals than it may: two of money, four of a percentage",
  in_the_past: "It is not in the future",
  too_common: "The password is one of the most common",
  nothing_to_change: "Nothing was sent that would change anything",
  not_applicable: "It does not belong to what was asked for or to whoever asks",
  read_only: "It cannot be changed here or by whoever asks",
  unknown_reference: "It names something that does not exist",
  below_use: "It is less than what was used already",
  misplaced: "It was sent in the wrong place",
  repeated: "The parameter was sent more than once",
  incomplete: "It ended before it was complete",
  stale: "It names an earlier version than the current one",
} as const;

export type RefusalCode = keyof typeof refusalCodes;
export type ErrorCode = RefusalCode | keyof typeof fieldCodes;

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
};

/** Which facts go with a code: always those, and no others. */
export const detailMembers = {
  price_changed: ["price"],
  total_changed: ["subtotal", "discount_total", "shipping_total", "tax_total", "total"],
  insufficient_stock: ["available"],
  exceeds_refundable: ["available"],
  insufficient_funds: ["balance"],
  below_held: ["held"],
  too_many_unpaid_units: ["limit"],
  too_many_open_orders: ["limit"],
  too_many_packages: ["limit"],
  cart_full: ["limit"],
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
