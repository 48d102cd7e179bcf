import type { Context } from "hono";
import type { Storefront } from "storefront/client";

export type AppEnv = {
  Bindings: {
    SHOP_NAME: string;
    API_URL: string;
    TOKEN_ISSUER: string;
    /** A secret: no page and no browser ever sees it. */
    API_KEY: string;
  };
  Variables: {
    /** The API as this shop may use it. */
    shop: Storefront;
    /** The API as the shopper may use it; null for a guest. */
    shopper: Storefront | null;
  };
};

export type ShopContext = Context<AppEnv>;
