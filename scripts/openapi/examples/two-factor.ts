import { TOTP } from "otpauth";
import type { Shop } from "./shop.ts";

export async function useTwoFactor(shop: Shop, as: string, account: { email: string; password: string }) {
  const { secret } = await shop.record("enableTwoFactor", { as, body: { current_password: account.password } });
  const codeIn = (seconds: number) => new TOTP({ secret }).generate({ timestamp: Date.now() + seconds * 1000 });
  await shop.record("confirmTwoFactor", { as, body: { code: codeIn(0) } });
  await shop.record("getMyTwoFactor", { as });
  const { recovery_codes } = await shop.record("regenerateRecoveryCodes", { as, body: { code: codeIn(30) } });
  const { challenge } = await shop.ask("logIn", { body: account });
  await shop.record("completeLogin", { body: { challenge, code: recovery_codes[0] } });
  await shop.record("disableTwoFactor", { as, body: { code: recovery_codes[1] } });
}
