import { TOTP } from "otpauth";
import { sentToken } from "../../../test/server/emails.ts";
import type { Shop } from "./shop.ts";

const ACCOUNT = { email: "kim@example.com", password: "a short walk in the rain" };

/** Takes the second factor from a customer who has one. */
export async function loseTwoFactor(shop: Shop): Promise<void> {
  const { token: as, user } = await shop.ask("signUp", { body: { ...ACCOUNT, name: "Kim Keeper" } });
  const token = await sentToken(shop.access.base_url, ACCOUNT.email, "verify");
  await shop.ask("verifyEmail", { as, body: { token } });
  const { secret } = await shop.ask("enableTwoFactor", { as, body: { current_password: ACCOUNT.password } });
  await shop.ask("confirmTwoFactor", { as, body: { code: new TOTP({ secret }).generate() } });
  await shop.record("removeTwoFactor", { path: { id: user.id } });
}
