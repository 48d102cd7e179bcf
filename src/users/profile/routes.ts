import { Hono } from "hono";
import type { AppEnv } from "../../auth/app-env.ts";
import { allowUser, limitAddress } from "../../auth/gates.ts";
import { sendInBackground } from "../../email/send.ts";
import { notFound } from "../../errors.ts";
import { ok } from "../../http/envelope.ts";
import { answers } from "../../http/route-description.ts";
import { validate } from "../../http/validate.ts";
import { ownRequestOf } from "../own-request.ts";
import { Profile, toProfile } from "../profile.ts";
import { findUser } from "../queries.ts";
import { changeProfile } from "./change-profile.ts";
import { ProfileChange } from "./schemas.ts";

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
      if (change.current_password !== undefined) await limitAddress(c, "sign-in");
      const user = await changeProfile(ownRequestOf(c), change);
      if (change.current_password !== undefined) sendInBackground(c);
      return ok(c, "Profile updated", toProfile(user, c.var.settings.currency));
    },
  );
