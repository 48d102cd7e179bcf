import { type Context, Hono } from "hono";
import * as z from "zod";
import { Nothing } from "../../../domain/fields.ts";
import { bearerOf } from "../../../platform/auth/authenticate.ts";
import { type Caller, writeContextOf } from "../../../platform/auth/caller.ts";
import { ClientAddressHeaders } from "../../../platform/auth/client.ts";
import { type AppEnv, allowAnyone, allowUser, limitUser } from "../../../platform/auth/gates.ts";
import { issuedTo } from "../../../platform/auth/tokens.ts";
import { sendInBackground } from "../../../platform/email/send.ts";
import { ok } from "../../../platform/http/envelope.ts";
import { answers } from "../../../platform/http/route-description.ts";
import { validate, validateAll } from "../../../platform/http/validate.ts";
import { accountContextOf } from "../account-context.ts";
import {
  LinkTokenBody,
  resendLink,
  revertEmail,
  toVerifiedEmail,
  VerifiedEmail,
  VerifyEmail,
  verifyEmail,
} from "./links.ts";

export const emailAddress = new Hono<AppEnv>()
  .post(
    "/auth/verify-email",
    allowAnyone("sessions:write", "sign-in", "account"),
    validateAll({ header: ClientAddressHeaders, json: VerifyEmail }),
    answers("verifyEmail", "Verify, confirm or approve an e-mail address", VerifiedEmail, {
      refuses: { 400: ["email_taken", "link_ended", "wrong_password"], 429: ["too_many_attempts"] },
    }),
    async (c) => {
      const verified = await verifyEmail(accountContextOf(c), { ...c.req.valid("json"), holder: await holderOf(c) });
      sendInBackground(c);
      const message = verified.verifiedAt === null ? "E-mail address changed" : "E-mail address verified";
      return ok(c, message, toVerifiedEmail(verified));
    },
  )
  .post(
    "/auth/verify-email/resend",
    allowUser,
    validate("json", Nothing),
    answers("resendVerification", "Resend the verification link", z.null(), { refuses: { 404: ["not_found"] } }),
    async (c) => {
      await limitUser(c, c.var.caller, "recovery");
      const email = await resendLink(writeContextOf(c));
      sendInBackground(c);
      return ok(c, email === null ? "The address is already verified" : `A link is on its way to ${email}`, null);
    },
  )
  .post(
    "/auth/revert-email",
    allowAnyone("sessions:write", "sign-in"),
    validateAll({ header: ClientAddressHeaders, json: LinkTokenBody }),
    answers("revertEmail", "Revert the last change of the e-mail address", z.null(), {
      refuses: { 400: ["email_taken", "link_ended"] },
    }),
    async (c) => {
      await revertEmail(writeContextOf(c), c.req.valid("json").token);
      sendInBackground(c);
      return ok(c, "The former address is restored. A link to choose a new password was sent to it", null);
    },
  );

type LinkContext = Context<AppEnv & { Variables: { caller: Caller } }>;

/** Returns the account of the token that was sent, even if the token has expired. */
async function holderOf(c: LinkContext): Promise<number | null> {
  const token = bearerOf(c);
  return token === undefined ? null : issuedTo(c.var.settings, token);
}
