import { Hono } from "hono";
import { requireFound } from "../../domain/errors.ts";
import { Nothing } from "../../domain/fields.ts";
import { writeContextOf } from "../../platform/auth/caller.ts";
import { type AppEnv, allowUser, limitUser } from "../../platform/auth/gates.ts";
import { sendInBackground } from "../../platform/email/send.ts";
import { ok } from "../../platform/http/envelope.ts";
import { answers } from "../../platform/http/route-description.ts";
import { validate } from "../../platform/http/validate.ts";
import { accountContextOf } from "../users/public.ts";
import { eraseOwnAccount, keepOwnAccount } from "./erasure.ts";
import { readPersonalData } from "./export.ts";
import { Erasure, ErasureRequest, PersonalDataExport, toErasure, toExport } from "./schemas.ts";

const UNDO = "Sign in again, then POST /api/v1/user/account/restore";

export const personalData = new Hono<AppEnv>()
  .get(
    "/account/export",
    allowUser,
    answers("exportMyData", "Export your personal data", PersonalDataExport, { refuses: { 404: ["not_found"] } }),
    async (c) => {
      const data = await requireFound(readPersonalData(c.var.db, c.var.caller.id), "The account");
      return ok(c, "Personal data", toExport(data, c.var.settings.currency, Date.now()));
    },
  )
  .delete(
    "/account",
    allowUser,
    validate("json", ErasureRequest),
    answers("deleteMyAccount", "Schedule the erasure of your account", Erasure, {
      refuses: {
        400: ["wrong_password"],
        404: ["not_found"],
        409: ["account_erased", "orders_open", "staff_cannot_be_erased", "wallet_not_empty"],
        429: ["too_many_attempts"],
      },
    }),
    async (c) => {
      await limitUser(c, c.var.caller, "sign-in");
      const { eraseAt } = await eraseOwnAccount(accountContextOf(c), c.req.valid("json").current_password);
      sendInBackground(c);
      return ok(c, "The account will be erased", toErasure(eraseAt, UNDO));
    },
  )
  .post(
    "/account/restore",
    allowUser,
    validate("json", Nothing),
    answers("restoreMyAccount", "Cancel the erasure of your account", Erasure, {
      refuses: { 404: ["not_found"], 409: ["account_erased"] },
    }),
    async (c) => {
      const { eraseAt } = await keepOwnAccount(writeContextOf(c));
      return ok(c, "The account is kept", toErasure(eraseAt, UNDO));
    },
  );
