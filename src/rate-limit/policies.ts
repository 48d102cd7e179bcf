/** Requests in 60 s, by the name that `RateLimit-Policy` carries. */
export const policies = {
  standard: 100,
  premium: 1000,
  anonymous: 100,
  "sign-in": 20,
  "failed-credentials": 20,
  webhooks: 1000,
} as const;

export type Policy = keyof typeof policies;

/** Policies that count an address instead of a credential. */
export type AddressPolicy = "anonymous" | "sign-in" | "failed-credentials" | "webhooks";
