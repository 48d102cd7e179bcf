import type { Tier } from "../src/platform/db/schema.ts";

export type Account = { email: string; password: string };

/** The contents of `CREDENTIALS` except for `base_url`, the shop's address. */
export type DemoAccess = { admin: Account; customer: Account; api_keys: Record<Tier | "storefront", string> };

export const CREDENTIALS = ".dev/credentials.json";

/** Discount code of the demo shop. */
export const WELCOME_CODE = "HELLO10";
