import { Hono } from "hono";
import type { AppEnv } from "../../auth/app-env.ts";
import { authorOf } from "../../auth/author.ts";
import { administrators } from "../../auth/gates.ts";
import { IdParam } from "../../domain/fields.ts";
import { sendInBackground } from "../../email/send.ts";
import { noContent } from "../../http/envelope.ts";
import { answersNothing } from "../../http/route-description.ts";
import { validate } from "../../http/validate.ts";
import { removeTwoFactor } from "./remove.ts";

export const twoFactorAdmin = new Hono<AppEnv>().delete(
  "/users/:id/two-factor",
  administrators,
  validate("param", IdParam),
  answersNothing("removeTwoFactor", "Remove the second factor of a user who has lost it", { refuses: [409] }),
  async (c) => {
    await removeTwoFactor({ env: c.env, ...c.var, author: authorOf(c) }, c.req.valid("param").id);
    sendInBackground(c);
    return noContent(c);
  },
);
