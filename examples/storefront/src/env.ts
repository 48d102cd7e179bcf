import type { Context } from "hono";
import type { Storefront } from "storefront/client";

export type AppEnv = {
  Bindings: {
    SHOP_NAME: string;
    API_URL: string;
    TOKEN_ISSUER: string;
    PAYMENT_METHODS: string;
    PAYMENT_INSTRUCTIONS: string;
    /** A secret: no page and no browser ever sees it. */
    API_KEY: string;
    /** A secret: it signs the cookie that names a guest's orders. */
    COOKIE_SECRET: string;
    /** A secret: that of the webhook, or two while one replaces another. Empty without a webhook. */
    WEBHOOK_SECRET: string;
    /** What webhooks told, and what they allow to keep. */
    STORE: KVNamespace;
  };
  Variables: {
    /** The API as this shop may use it. */
    shop: Storefront;
    /** The API as the shopper may use it; null for a guest. */
    shopper: Storefront | null;
    /** How many pieces the cart held when this browser last saw it. */
    cartCount: number;
  };
};

export type ShopContext = Context<AppEnv>;
