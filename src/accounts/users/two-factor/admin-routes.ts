import { Hono } from "hono";
import { IdParam } from "../../../domain/fields.ts";
import type { AppEnv } from "../../../platform/auth/app-env.ts";
import { administrators } from "../../../platform/auth/gates.ts";
import { writeContextOf } from "../../../platform/auth/write-context.ts";
import { sendInBackground } from "../../../platform/email/send.ts";
import { noContent } from "../../../platform/http/envelope.ts";
import { answersNothing } from "../../../platform/http/route-description.ts";
import { validate } from "../../../platform/http/validate.ts";
import { removeTwoFactor } from "./enrol.ts";

export const twoFactorAdmin = new Hono<AppEnv>().delete(
  "/users/:id/two-factor",
  administrators,
  validate("param", IdParam),
  answersNothing("removeTwoFactor", "Remove the second factor of a user", { refuses: [409] }),
  async (c) => {
    await removeTwoFactor(writeContextOf(c), c.req.valid("param").id);
    sendInBackground(c);
    return noContent(c);
  },
);
