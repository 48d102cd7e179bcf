/** How many requests in any so many seconds, by the name that `RateLimit-Policy` carries. */
export const policies = {
  standard: { limit: 100, seconds: 60 },
  premium: { limit: 1000, seconds: 60 },
  user: { limit: 100, seconds: 60 },
  anonymous: { limit: 100, seconds: 60 },
  "user-address": { limit: 600, seconds: 60 },
  "sign-in": { limit: 20, seconds: 60 },
  "sign-up": { limit: 20, seconds: 60 * 60 },
  recovery: { limit: 3, seconds: 60 * 60 },
  "failed-credentials": { limit: 20, seconds: 60 },
  "discount-codes": { limit: 20, seconds: 60 * 60 },
  "shared-discount-codes": { limit: 200, seconds: 60 * 60 },
  webhooks: { limit: 1000, seconds: 60 },
  "forged-payment-events": { limit: 20, seconds: 60 * 60 },
} as const;

export type Policy = keyof typeof policies;

/** Policies that count an address instead of a credential. */
export type AddressPolicy = Exclude<Policy, "standard" | "premium" | "user">;

/** How many times what one of its /64 may an IPv6 /48 may: a site has one to itself, or thousands of customers share it. */
export const NETWORK_FACTOR = 10;
