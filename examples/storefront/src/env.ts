import type { Storefront } from "@storefront-worker/api/client";
import type { Context } from "hono";

export type AppEnv = {
  Bindings: {
    SHOP_NAME: string;
    API_URL: string;
    TOKEN_ISSUER: string;
    CONTACT: string;
    HOME_COUNTRY: string;
    RETURN_DAYS: string;
    /** Secret. Never sent to a browser. */
    API_KEY: string;
    /** Secret that signs the cookie with a guest's orders. */
    COOKIE_SECRET: string;
    /** Secret of the webhook, or two during a rotation. Empty without a webhook. */
    WEBHOOK_SECRET: string;
    /** Cached catalogue responses, and shipments reported by webhooks. */
    STORE: KVNamespace;
  };
  Variables: {
    /** API client with the shop's key. */
    shop: Storefront;
    /** API client with the shopper's token. Null for guests. */
    shopper: Storefront | null;
    /** Number of units in the cart when this browser last saw it. */
    cartCount: number;
  };
};

export type ShopContext = Context<AppEnv>;
