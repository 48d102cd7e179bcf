import { createStorefront, StorefrontError } from "@storefront-worker/api/client";
import { createMiddleware } from "hono/factory";
import { lastCartCount } from "../cart/my-cart.ts";
import { readCookie } from "../cookies.ts";
import type { AppEnv, ShopContext } from "../env.ts";
import { send } from "../parts/failure.ts";
import { clientHeaders } from "./client-address.ts";
import { isGenuine } from "./genuine.ts";
import { forgetShopper, rememberShopper } from "./shopper.ts";

/** Page loads cannot wait a minute for a rate limit. */
const retry = { attempts: 3, maxWaitSeconds: 2 };

/** Identifies the visitor: the shopper whose token is in the cookie, or a guest. */
export const identify = createMiddleware<AppEnv>(async (c, next) => {
  const { API_URL, API_KEY } = c.env;
  const shop = createStorefront({ baseUrl: API_URL, credential: API_KEY, retry, fetch: send });
  c.set("shop", shop);
  c.set("shopper", null);
  c.set("cartCount", lastCartCount(c));
  const token = readCookie(c, "shop-token");
  if (token !== undefined && (await isGenuine(c.env, token))) c.set("shopper", shop.as(token));
  else await refresh(c);
  await next();
});

/** Tokens expire after an hour. Gets a new one with the refresh token. */
async function refresh(c: ShopContext): Promise<void> {
  const refresh_token = readCookie(c, "shop-refresh");
  if (refresh_token === undefined) return;
  try {
    const params = { header: clientHeaders(c) };
    const { data } = await c.var.shop.POST("/api/v1/user/auth/refresh", { params, body: { refresh_token } });
    rememberShopper(c, data);
  } catch (error) {
    if (!(error instanceof StorefrontError && error.status === 401)) throw error;
    forgetShopper(c);
  }
}
