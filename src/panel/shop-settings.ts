import type { Context } from "hono";
import { ShopUpdate } from "../back-office/shop/fields.ts";
import { changeShop, readShop } from "../back-office/shop/shop.ts";
import { writeContextOf } from "../platform/auth/caller.ts";
import { etagOf } from "../platform/http/version.ts";
import { type DeclaredFields, inputsOf, kindsOf, valuesOf } from "./forms/conversion.ts";
import { type Failed, formFor } from "./forms/inputs.ts";
import type { SentForm } from "./forms/read-form.ts";
import type { PanelEnv } from "./page.tsx";

/** Some of the shop's settings on a page of their own: the reader of its form, and the action that saves it. */
export function shopSettings<Fields extends DeclaredFields>(path: string, fields: Fields, saved: string) {
  const inputs = inputsOf(fields);
  return {
    async read(c: Context<PanelEnv>, failed: Failed | null) {
      const shop = await readShop(c.var.db, c.var.settings.email);
      const values = valuesOf(fields, shop);
      return { shop, form: formFor(failed, path, { inputs, values, etag: etagOf(shop.updatedAt) }) };
    },
    async save(c: Context<PanelEnv>, sent: SentForm) {
      const change = sent.readChange(ShopUpdate, kindsOf(inputs));
      await changeShop(writeContextOf(c), { change, ifMatch: sent.ifMatch });
      return saved;
    },
  };
}
