import { call } from "./call.ts";
import { asAdministrator } from "./settings.ts";
import { aProduct, aUser, orderOf } from "./shop.ts";

export const LICENSE = {
  source: "generated" as const,
  prefix: "FONT",
  activation_limit: 2,
  valid_days: null,
  update_days: 365,
};

/** The license key of an account's paid order, with the account. */
export async function aLicenseKey() {
  const user = await aUser({ wallet: 1_000 });
  const product = await aProduct({ type: "digital", stock: null, price: 500, license: LICENSE });
  await call("POST /orders", { as: user.token, body: orderOf(product) });
  const { body } = await call("GET /account/license-keys", { as: user.token });
  const [{ id, key }] = body.data;
  return { id: Number(id), key: String(key), user };
}

let made = 0;

/** Texts of keys as a publisher sends them. */
export const someKeys = (count: number): string[] => Array.from({ length: count }, () => `GAME-${++made}-a1b2C3d4`);

export const upload = async (id: number, license_keys: string[]) => {
  const body = { license_keys, reason: "List of the publisher" };
  return call(`POST /admin/products/${id}/stock`, { as: await asAdministrator(), body });
};

export const withdraw = async (id: number, withdrawn_license_keys: string[]) => {
  const body = { withdrawn_license_keys, reason: "Wrong list" };
  return call(`POST /admin/products/${id}/stock`, { as: await asAdministrator(), body });
};

/** A product that is sold with uploaded keys. */
export async function aListedGame(keys: string[], columns: Parameters<typeof aProduct>[0] = {}) {
  const license = { ...LICENSE, source: "uploaded" as const };
  const product = await aProduct({ type: "digital", stock: 0, price: 500, ...columns, license });
  if (keys.length > 0) await upload(product.id, keys);
  return product;
}
