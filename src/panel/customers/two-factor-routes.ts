import { Hono } from "hono";
import { removeTwoFactor } from "../../accounts/users/two-factor/remove.ts";
import { IdParam } from "../../domain/fields.ts";
import { authorOf } from "../../platform/auth/author.ts";
import { administrators } from "../../platform/auth/gates.ts";
import { sendInBackground } from "../../platform/email/send.ts";
import { validate } from "../../platform/http/validate.ts";
import type { PanelEnv } from "../env.ts";
import { redirectWithFlash } from "../flash.ts";
import { submit } from "../forms/attempt.ts";
import { customerPage } from "./customer-page.tsx";

export const customerTwoFactor = new Hono<PanelEnv>().post(
  "/customers/:id/two-factor/remove",
  administrators,
  validate("param", IdParam),
  (c) => {
    const { id } = c.req.valid("param");
    return submit(
      c,
      (failed) => customerPage(c, id, failed),
      async () => {
        await removeTwoFactor({ env: c.env, ...c.var, author: authorOf(c) }, id);
        sendInBackground(c);
        return redirectWithFlash(c, `/admin/customers/${id}`, "The second factor was removed.");
      },
    );
  },
);
