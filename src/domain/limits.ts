const DAY_MS = 24 * 60 * 60_000;

/** Limits that triggers enforce and the code repeats. In src/platform/db/guards, `${NAME}` stands for the number. */
export const limits = {
  ADDRESSES_PER_ACCOUNT: 50,
  SAVED_VIEWS_PER_LIST: 20,
  UPLOADS_OPEN: 20,
  WEBHOOKS: 50,
  /** Units of an order that grant downloads. */
  DOWNLOAD_UNITS_PER_ORDER: 100,
  /** How long an equal order without an Idempotency-Key counts as sent twice. */
  RESEND_WINDOW_MS: 15_000,
  /** An API key's guests without an e-mail address count as one buyer, who may hold this many times as much unpaid. */
  GUESTS_WITHOUT_EMAIL_FACTOR: 10,
  /** How long an erasure can be undone. */
  ERASURE_GRACE_MS: 7 * DAY_MS,
} as const;
