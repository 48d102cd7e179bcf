import { DAY_MS } from "./time.ts";

/** Limits that both triggers and the code enforce. In a guards.sql, `${NAME}` stands for the number. */
export const limits = {
  ADDRESSES_PER_ACCOUNT: 50,
  SAVED_VIEWS_PER_LIST: 20,
  UPLOADS_OPEN: 20,
  WEBHOOKS: 50,
  /** Maximum number of units in an order that grant downloads. */
  DOWNLOAD_UNITS_PER_ORDER: 100,
  /** Milliseconds in which an equal order without an Idempotency-Key counts as a duplicate. */
  RESEND_WINDOW_MS: 15_000,
  /** Guests of an API key without an e-mail address count as one buyer, whose unpaid limits are multiplied by this. */
  GUESTS_WITHOUT_EMAIL_FACTOR: 10,
  /** Guests in one network may together hold this many times the unpaid units of one guest. */
  GUESTS_PER_NETWORK_FACTOR: 2,
  /** Milliseconds in which an erasure can be undone. */
  ERASURE_GRACE_MS: 7 * DAY_MS,
  /** Variants of one product. */
  VARIANTS_PER_PRODUCT: 1_000,
  CATEGORY_LEVELS: 5,
  RETURNS_PER_ORDER: 20,
  /** Period before a reduction whose lowest price is shown (directive 98/6/EC, article 6a). */
  PRICE_HISTORY_MS: 30 * DAY_MS,
  /**
   * Maximum number of products in a category and its descendants that may move to another parent at once, because their
   * places in lists are rewritten.
   */
  PRODUCTS_MOVED: 200_000,
} as const;

/** Bytes of the largest string, blob or row in D1 (developers.cloudflare.com/d1/platform/limits). */
export const MOST_VALUE_BYTES = 2_000_000;

/** Days without a request after which an API key counts as unused. */
export const UNUSED_DAYS = 90;
export const UNUSED_MS = UNUSED_DAYS * DAY_MS;
