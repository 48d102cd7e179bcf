import type { Shop } from "./shop.ts";

/** The key of the demo's example storefront. */
const STOREFRONT = { path: { id: 3 } };

/** Creates, changes, rotates and revokes keys. */
export async function manageKeys(shop: Shop): Promise<void> {
  await shop.record("listApiKeys", { query: { search: "storefront", per_page: "1" } });
  const { id } = await shop.record("createApiKey", { body: WINDOW });
  const it = { path: { id } };
  await shop.record("getApiKey", it);
  await shop.record("updateApiKey", { ...it, body: { permissions: ["products:read", "carts:write"] } });
  await shop.record("rotateApiKey", { ...it, body: { grace_seconds: 3600 } });
  await shop.record("getApiKeyUsage", STOREFRONT);
  await shop.record("listApiKeyRequests", STOREFRONT);
  await shop.record("revokeApiKey", it);
}

/** A key that may only read products. */
export const WINDOW = { name: "Shop window", permissions: ["products:read"] };
