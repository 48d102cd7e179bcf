import { Hono } from "hono";
import { notFound } from "../../../domain/errors.ts";
import type { AppEnv } from "../../../platform/auth/app-env.ts";
import { allowUser, limitUser } from "../../../platform/auth/gates.ts";
import { sendInBackground } from "../../../platform/email/send.ts";
import { ok } from "../../../platform/http/envelope.ts";
import { answers } from "../../../platform/http/route-description.ts";
import { validate } from "../../../platform/http/validate.ts";
import { accountContextOf } from "../account-context.ts";
import { Profile, toProfile } from "../schemas.ts";
import { findUser } from "../users.ts";
import { changeProfile, ProfileChange } from "./profile.ts";

export const profile = new Hono<AppEnv>()
  .get(
    "/account/profile",
    allowUser,
    answers("getYourProfile", "Get your profile", Profile, { refuses: [404] }),
    async (c) => {
      const user = await findUser(c.var.db, c.var.caller.id);
      if (!user) throw notFound("The account");
      return ok(c, "Profile", toProfile(user, c.var.settings.currency));
    },
  )
  .put(
    "/account/profile",
    allowUser,
    validate("json", ProfileChange),
    answers("updateYourProfile", "Update your profile", Profile, { refuses: [404] }),
    async (c) => {
      const change = c.req.valid("json");
      if (change.current_password !== undefined) await limitUser(c, c.var.caller, "sign-in");
      const user = await changeProfile(accountContextOf(c), change);
      if (change.current_password !== undefined) sendInBackground(c);
      return ok(c, "Profile updated", toProfile(user, c.var.settings.currency));
    },
  );
