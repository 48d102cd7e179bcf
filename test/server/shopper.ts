import { randomUUID } from "node:crypto";
import { createStorefront, type Schema, type Storefront } from "../../src/client/index.ts";
import type { OpenShop } from "./checkout.ts";

/** A new customer with this amount in their wallet. */
export async function aShopper(shop: OpenShop, wallet = 500) {
  const backend = createStorefront({ baseUrl: shop.base_url, credential: shop.api_keys.premium });
  const account = { email: `${randomUUID()}@shop.example`, password: "a password that is long", name: "Lou Lossy" };
  const { data: session } = await backend.POST("/api/v1/user/auth/signup", { body: account });
  if (wallet > 0) await fillWallet(shop, session.user.id, wallet);
  return { ...account, token: session.token, api: backend.as(session.token) };
}

export async function fillWallet(shop: OpenShop, id: number, amount: number): Promise<void> {
  const body = { amount, reason: "To spend" };
  await (await asAdmin(shop)).POST("/api/v1/admin/users/{id}/credit", { params: { path: { id } }, body });
}

/** An order of one unit, paid from the wallet. */
export const orderOf = ({ id, price }: Schema["Product"]): Schema["OrderCreate"] => ({
  items: [{ product_id: id, quantity: 1, price }],
  shipping_address: { name: "Lou", address: "1 Quay Street", city: "Bristol", zip: "BS1 1AA" },
  payment_method: "wallet",
});

export async function findProduct(api: Storefront, search: string): Promise<Schema["Product"]> {
  const { data } = await api.GET("/api/v1/user/products", { params: { query: { search } } });
  if (!data[0]) throw new Error(`The demo shop has no ${search}`);
  return data[0];
}

/** Buys the demo's largest file. */
export async function aBoughtFile(api: Storefront): Promise<Schema["StoredFile"]> {
  await api.POST("/api/v1/user/orders", { body: orderOf(await findProduct(api, "rain on a tin roof")) });
  for await (const file of api.each("/api/v1/user/files"))
    if (file.can_download && file.size_bytes > 8_000_000) return file;
  throw new Error("What was bought cannot be downloaded");
}

/** Below the ten minutes after which an administrator has to enter the password again. */
export const FRESH_MS = 5 * 60_000;

let admin: { of: string; until: number; api: Promise<Storefront> } | undefined;

/** The API for the shop's administrator. Tests share it while the sign-in is fresh. */
export function asAdmin(shop: Pick<OpenShop, "base_url" | "admin">): Promise<Storefront> {
  if (admin?.of !== shop.base_url || admin.until < Date.now()) {
    admin = { of: shop.base_url, until: Date.now() + FRESH_MS, api: signInAdmin(shop) };
  }
  return admin.api;
}

async function signInAdmin({ base_url, admin }: Pick<OpenShop, "base_url" | "admin">): Promise<Storefront> {
  const api = createStorefront({ baseUrl: base_url });
  const { data } = await api.POST("/api/v1/user/auth/login", { body: admin });
  if (!("token" in data)) throw new Error("The demo's administrator has a second factor");
  return api.as(data.token);
}
