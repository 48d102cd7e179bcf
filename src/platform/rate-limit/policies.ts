import type { Tier } from "../../integrations/api-keys/tables.ts";

/** Requests per seconds, by the name in `RateLimit-Policy`. */
export const policies = {
  standard: { limit: 100, seconds: 60 },
  premium: { limit: 1000, seconds: 60 },
  user: { limit: 100, seconds: 60 },
  anonymous: { limit: 100, seconds: 60 },
  "user-address": { limit: 600, seconds: 60 },
  "sign-in": { limit: 20, seconds: 60 },
  "sign-up": { limit: 20, seconds: 60 * 60 },
  recovery: { limit: 3, seconds: 60 * 60 },
  invitations: { limit: 20, seconds: 60 * 60 },
  "failed-credentials": { limit: 20, seconds: 60 },
  agents: { limit: 600, seconds: 60 },
  "agent-address": { limit: 600, seconds: 60 },
  "agent-profiles": { limit: 30, seconds: 60 },
  feeds: { limit: 60, seconds: 60 * 60 },
  "discount-codes": { limit: 20, seconds: 60 * 60 },
  "shared-discount-codes": { limit: 200, seconds: 60 * 60 },
  "gift-cards": { limit: 20, seconds: 60 * 60 },
  "vat-ids": { limit: 20, seconds: 60 * 60 },
  "shared-vat-ids": { limit: 200, seconds: 60 * 60 },
  "license-keys": { limit: 60, seconds: 60 },
  webhooks: { limit: 1000, seconds: 60 },
  "forged-payment-events": { limit: 20, seconds: 60 * 60 },
} as const satisfies Record<Tier, object> & Record<string, { limit: number; seconds: number }>;

export type Policy = keyof typeof policies;

/** Policies that count addresses instead of credentials. */
export type AddressPolicy = Exclude<Policy, Tier | "user">;

/** Limit of an IPv6 /48 as a multiple of a /64's: a site may have a whole /48, or share it with thousands of customers. */
export const NETWORK_FACTOR = 10;
