import type { Shop } from "./shop.ts";

/** Creates, uses, changes, rotates and revokes a key. Returns a key that may only read products. */
export async function manageKeys(shop: Shop, as: string): Promise<string> {
  const made = { name: "Shop window", permissions: ["products:read"] };
  const { id, key } = await shop.record("createApiKey", { as, body: made });
  const it = { as, path: { id } };
  await shop.ask("listProducts", { as: key });
  await shop.record("listApiKeys", { as, query: { search: "window", per_page: "1" } });
  await shop.record("getApiKey", it);
  await shop.record("updateApiKey", { ...it, body: { permissions: ["products:read", "carts:write"] } });
  await shop.record("getApiKeyUsage", it);
  await shop.record("listApiKeyRequests", it);
  await shop.record("rotateApiKey", { ...it, body: { grace_seconds: 3600 } });
  await shop.record("revokeApiKey", it);
  return (await shop.ask("createApiKey", { as, body: made })).key;
}
