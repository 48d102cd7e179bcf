const DAY_MS = 24 * 60 * 60_000;

/** Numbers that triggers enforce and messages tell: in src/platform/db/guards, `${NAME}` stands for the number. */
export const limits = {
  ADDRESSES_PER_ACCOUNT: 50,
  SAVED_VIEWS_PER_LIST: 20,
  UPLOADS_OPEN: 20,
  WEBHOOKS: 50,
  /** Units of an order that grant downloads. */
  DOWNLOAD_UNITS_PER_ORDER: 100,
  /** How long an equal order without an Idempotency-Key counts as sent twice. */
  RESEND_WINDOW_MS: 15_000,
  /** Guests of an API key without an e-mail address are counted as one buyer, who may hold so many times as much unpaid. */
  NAMELESS_GUESTS: 10,
  /** How long an erasure can be undone. */
  ERASURE_GRACE_MS: 7 * DAY_MS,
} as const;
