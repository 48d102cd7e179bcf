import { randomUUID } from "node:crypto";
import { createStorefront, type Schema, type Storefront } from "../../src/client/index.ts";
import type { OpenShop } from "./checkout.ts";

/** A customer whom no other test knows, with so much in their wallet. */
export async function aShopper(shop: OpenShop, wallet = 500) {
  const backend = createStorefront({ baseUrl: shop.base_url, credential: shop.api_keys.premium });
  const account = { email: `${randomUUID()}@shop.example`, password: "a password that is long", name: "Lou Lossy" };
  const { data: session } = await backend.POST("/api/v1/user/auth/signup", { body: account });
  if (wallet > 0) await fillWallet(shop, session.user.id, wallet);
  return { ...account, token: session.token, api: backend.as(session.token) };
}

export async function fillWallet({ base_url, api_keys }: OpenShop, id: number, amount: number): Promise<void> {
  const backend = createStorefront({ baseUrl: base_url, credential: api_keys.premium });
  const body = { amount, reason: "To spend" };
  await backend.POST("/api/v1/admin/users/{id}/credit", { params: { path: { id } }, body });
}

/** An order of one piece, to be paid by the wallet. */
export const orderOf = ({ id, price }: Schema["Product"]): Schema["NewOrder"] => ({
  items: [{ product_id: id, quantity: 1, price }],
  shipping_address: { name: "Lou", address: "1 Quay Street", city: "Bristol", zip: "BS1 1AA" },
  payment_method: "wallet",
});

export async function findProduct(api: Storefront, search: string): Promise<Schema["Product"]> {
  const { data } = await api.GET("/api/v1/user/products", { params: { query: { search } } });
  if (!data[0]) throw new Error(`The demo shop has no ${search}`);
  return data[0];
}

/** The demo's largest file, bought. */
export async function aBoughtFile(api: Storefront): Promise<Schema["File"]> {
  await api.POST("/api/v1/user/orders", { body: orderOf(await findProduct(api, "rain on a tin roof")) });
  for await (const file of api.each("/api/v1/user/files"))
    if (file.can_download && file.size_bytes > 8_000_000) return file;
  throw new Error("What was bought cannot be downloaded");
}
