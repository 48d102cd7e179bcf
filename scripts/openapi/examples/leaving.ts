import { TOTP } from "otpauth";
import { sentToken } from "../../../test/server/emails.ts";
import type { Shop } from "./shop.ts";

const ACCOUNT = { email: "kim@example.com", password: "a short walk in the rain" };

/** Exports and erases personal data and cancels the erasure, as a customer and as an administrator. */
export async function leave(shop: Shop, admin: string): Promise<void> {
  const { token, user } = await shop.ask("signUp", { body: { ...ACCOUNT, name: "Kim Keeper" } });
  await shop.record("exportMyData", { as: token });
  await shop.record("deleteMyAccount", { as: token, body: { current_password: ACCOUNT.password } });
  const again = await shop.ask("logIn", { body: ACCOUNT });
  await shop.record("restoreMyAccount", { as: again.token, body: {} });
  const customer = { as: admin, path: { id: user.id } };
  const body = { name: "Lou Later", email: "lou@example.com", tags: ["Wholesale"], invite: true };
  const added = await shop.record("createCustomer", { as: admin, body });
  await shop.record("inviteCustomer", { as: admin, path: { id: added.id }, body: {} });
  const change = { add_tags: ["VIP"] };
  await shop.record("bulkUpdateCustomers", { as: admin, body: { ids: [added.id], change } });
  await shop.record("createCustomerNote", { ...customer, body: { text: "Prefers to be called" } });
  await shop.record("listCustomerNotes", customer);
  await shop.record("exportCustomer", customer);
  await shop.record("deleteCustomer", customer);
  await shop.record("restoreCustomer", { ...customer, body: {} });
  await loseTwoFactor(shop, customer);
}

async function loseTwoFactor(shop: Shop, customer: Parameters<Shop["record"]>[1]): Promise<void> {
  const { token: as } = await shop.ask("logIn", { body: ACCOUNT });
  const token = await sentToken(shop.access.base_url, ACCOUNT.email, "verify");
  await shop.ask("verifyEmail", { as, body: { token } });
  const { secret } = await shop.ask("enableTwoFactor", { as, body: { current_password: ACCOUNT.password } });
  await shop.ask("confirmTwoFactor", { as, body: { code: new TOTP({ secret }).generate() } });
  await shop.record("removeTwoFactor", customer);
}
