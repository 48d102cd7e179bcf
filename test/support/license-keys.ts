import { call } from "./call.ts";
import { aProduct, aUser, orderOf } from "./shop.ts";

export const LICENSE = { prefix: "FONT", activation_limit: 2, valid_days: null, update_days: 365 };

/** The license key of an account's paid order, with the account. */
export async function aLicenseKey() {
  const user = await aUser({ wallet: 1_000 });
  const product = await aProduct({ type: "digital", stock: null, price: 500, license: LICENSE });
  await call("POST /orders", { as: user.token, body: orderOf(product) });
  const { body } = await call("GET /account/license-keys", { as: user.token });
  const [{ id, key }] = body.data;
  return { id: Number(id), key: String(key), user };
}
