import { Hono } from "hono";
import * as z from "zod";
import type { AppEnv } from "../../../platform/auth/app-env.ts";
import { ClientAddressHeaders, ClientHeaders } from "../../../platform/auth/client-address.ts";
import { allowAnyone, limitAccount } from "../../../platform/auth/gates.ts";
import { isStaff } from "../../../platform/auth/roles.ts";
import { writeContextOf } from "../../../platform/auth/write-context.ts";
import { sendInBackground } from "../../../platform/email/send.ts";
import { ok } from "../../../platform/http/envelope.ts";
import { answers } from "../../../platform/http/route-description.ts";
import { validate } from "../../../platform/http/validate.ts";
import { loginContextOf } from "../account-context.ts";
import { ResetAnswer, toChallenge } from "../sign-in/schemas.ts";
import { answerOf } from "../sign-in/sign-in.ts";
import { ForgotPassword, insertResetLink, ResetPassword, resetPassword } from "./recovery.ts";

export const recovery = new Hono<AppEnv>()
  .post(
    "/auth/forgot-password",
    allowAnyone("sessions:write", "recovery"),
    validate("header", ClientAddressHeaders),
    validate("json", ForgotPassword),
    answers("forgotPassword", "Request a password reset link", z.null()),
    async (c) => {
      const { email } = c.req.valid("json");
      await limitAccount(c, "recovery", email);
      await insertResetLink(writeContextOf(c), email);
      sendInBackground(c);
      return ok(c, "If the address belongs to an account, a link was sent to it", null);
    },
  )
  .post(
    "/auth/reset-password",
    allowAnyone("sessions:write", "sign-in"),
    validate("header", ClientHeaders),
    validate("json", ResetPassword),
    answers("resetPassword", "Reset your password", ResetAnswer),
    async (c) => {
      // API keys cannot reset administrators' passwords, because the holder of a key could have read their e-mails.
      const { caller, settings } = c.var;
      const ctx = loginContextOf(c, { caller, admits: ({ role }) => !isStaff(role) || caller.kind !== "api_key" });
      const outcome = await resetPassword(ctx, c.req.valid("json"));
      sendInBackground(c);
      const data = "challenge" in outcome ? toChallenge(outcome) : await answerOf(settings, outcome);
      return ok(c, "Password changed. All other sessions have ended", data);
    },
  );
