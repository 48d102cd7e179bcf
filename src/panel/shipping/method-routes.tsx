import { type Context, Hono } from "hono";
import { MethodChange } from "../../checkout/shipping/methods/admin-schemas.ts";
import { changeMethod, removeMethod, requireMethod } from "../../checkout/shipping/methods/write.ts";
import { IdParam } from "../../domain/fields.ts";
import { writeRequestOf } from "../../platform/administration/write-queries.ts";
import { administer } from "../../platform/auth/gates.ts";
import { validate } from "../../platform/http/validate.ts";
import type { PanelEnv } from "../env.ts";
import { redirectWithFlash } from "../flash.ts";
import { submit } from "../forms/attempt.ts";
import type { Failed } from "../forms/state.ts";
import { page } from "../page.tsx";
import { methodKinds } from "./method-form.tsx";
import { MethodPage } from "./method-page.tsx";
import { LIST } from "./zone-page.tsx";

export const shippingMethods = new Hono<PanelEnv>()
  .get("/shipping-methods/:id", administer("settings:read"), validate("param", IdParam), (c) =>
    methodPage(c, c.req.valid("param").id, null),
  )
  .post("/shipping-methods/:id", administer("settings:write"), validate("param", IdParam), (c) => {
    const { id } = c.req.valid("param");
    return submit(
      c,
      (failed) => methodPage(c, id, failed),
      async (sent) => {
        const change = sent.readChange(MethodChange, methodKinds);
        const { zoneId, name } = await changeMethod(writeRequestOf(c, sent.ifMatch), id, change);
        return redirectWithFlash(c, `${LIST}/${zoneId}`, `${name} was saved.`);
      },
    );
  })
  .post("/shipping-methods/:id/delete", administer("settings:write"), validate("param", IdParam), (c) => {
    const { id } = c.req.valid("param");
    return submit(
      c,
      (failed) => methodPage(c, id, failed),
      async (sent) => {
        const { zoneId } = await removeMethod(writeRequestOf(c, sent.ifMatch), id);
        return redirectWithFlash(c, `${LIST}/${zoneId}`, "The method was deleted.");
      },
    );
  });

async function methodPage(c: Context<PanelEnv>, id: number, failed: Failed | null) {
  const method = await requireMethod(c.var.db, id);
  return page(c, method.name, <MethodPage method={method} failed={failed} />);
}
