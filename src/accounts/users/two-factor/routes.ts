import { Hono } from "hono";
import { isoOrNull } from "../../../domain/fields.ts";
import { type AppEnv, allowUser, limitUser } from "../../../platform/auth/gates.ts";
import { sendInBackground } from "../../../platform/email/send.ts";
import { noContent, ok } from "../../../platform/http/envelope.ts";
import { answers, answersNothing } from "../../../platform/http/route-description.ts";
import { validate } from "../../../platform/http/validate.ts";
import { accountContextOf } from "../account-context.ts";
import { confirmTwoFactor, disableTwoFactor, enableTwoFactor, regenerateRecoveryCodes } from "./enrol.ts";
import {
  findStatus,
  RecoveryCodes,
  TwoFactorCode,
  TwoFactorEnrolment,
  TwoFactorEnrolmentRequest,
  TwoFactorStatus,
} from "./two-factor.ts";

export const twoFactorRoutes = new Hono<AppEnv>()
  .get(
    "/account/two-factor",
    allowUser,
    answers("getMyTwoFactor", "Get your second factor", TwoFactorStatus),
    async (c) => {
      const { enabledAt, codesLeft } = await findStatus(c.var.db, c.var.caller.id);
      const enabled = { enabled: enabledAt !== null, enabled_at: isoOrNull(enabledAt) };
      return ok(c, "Second factor", { ...enabled, recovery_codes_left: codesLeft });
    },
  )
  .post(
    "/account/two-factor",
    allowUser,
    validate("json", TwoFactorEnrolmentRequest),
    answers("enableTwoFactor", "Start enabling a second factor", TwoFactorEnrolment, {
      refuses: {
        400: ["wrong_password"],
        404: ["not_found"],
        409: ["email_not_verified", "two_factor_enabled"],
        429: ["too_many_attempts"],
      },
    }),
    async (c) => {
      await limitUser(c, c.var.caller, "sign-in");
      const { current_password } = c.req.valid("json");
      return ok(c, "Confirm it with a code", await enableTwoFactor(accountContextOf(c), current_password));
    },
  )
  .post(
    "/account/two-factor/confirm",
    allowUser,
    validate("json", TwoFactorCode),
    answers("confirmTwoFactor", "Confirm the second factor with a code", RecoveryCodes, {
      refuses: {
        400: ["wrong_code"],
        409: ["email_not_verified", "two_factor_enabled", "two_factor_not_enabled"],
        429: ["too_many_attempts"],
      },
    }),
    async (c) => {
      const recovery_codes = await confirmTwoFactor(accountContextOf(c), c.req.valid("json").code);
      sendInBackground(c);
      return ok(c, "The second factor is enabled", { recovery_codes });
    },
  )
  .post(
    "/account/two-factor/recovery-codes",
    allowUser,
    validate("json", TwoFactorCode),
    answers("regenerateRecoveryCodes", "Replace your recovery codes", RecoveryCodes, {
      refuses: { 400: ["wrong_code"], 409: ["two_factor_not_enabled"], 429: ["too_many_attempts"] },
    }),
    async (c) => {
      await limitUser(c, c.var.caller, "sign-in");
      const recovery_codes = await regenerateRecoveryCodes(accountContextOf(c), c.req.valid("json").code);
      return ok(c, "The recovery codes were replaced", { recovery_codes });
    },
  )
  .post(
    "/account/two-factor/disable",
    allowUser,
    validate("json", TwoFactorCode),
    answersNothing("disableTwoFactor", "Disable your second factor", {
      refuses: { 400: ["wrong_code"], 409: ["two_factor_not_enabled"], 429: ["too_many_attempts"] },
    }),
    async (c) => {
      await limitUser(c, c.var.caller, "sign-in");
      await disableTwoFactor(accountContextOf(c), c.req.valid("json").code);
      sendInBackground(c);
      return noContent(c);
    },
  );
