import { type Context, Hono } from "hono";
import * as z from "zod";
import { ShopChange } from "../../back-office/shop/fields.ts";
import { changeShop, readShop } from "../../back-office/shop/shop.ts";
import { writeRequestOf } from "../../platform/administration/write-queries.ts";
import { administer } from "../../platform/auth/gates.ts";
import type { PanelEnv } from "../env.ts";
import { redirectWithFlash } from "../flash.ts";
import { submit } from "../forms/attempt.ts";
import { type FieldKind, flag, optional, orNull, text } from "../forms/kinds.ts";
import type { Failed } from "../forms/state.ts";
import { addressKinds } from "../orders/kinds.ts";
import { page } from "../page.tsx";
import { SHOP, ShopPage } from "./page.tsx";

const kinds: Record<string, FieldKind> = {
  name: text,
  ...addressKinds("address"),
  home_country: orNull(optional),
  home_region: orNull(optional),
  prices_include_tax: flag,
};

/** An address of which nothing is typed is none. */
const ShopForm = z.preprocess((sent) => {
  const { address, ...others } = Object(sent);
  return address && !Object.values(address).some(Boolean) ? { ...others, address: null } : sent;
}, ShopChange);

export const shop = new Hono<PanelEnv>()
  .get("/shop", administer("settings:read"), (c) => shopPage(c, null))
  .post("/shop", administer("settings:write"), (c) =>
    submit(
      c,
      (failed) => shopPage(c, failed),
      async (sent) => {
        const request = writeRequestOf(c, sent.ifMatch);
        await changeShop(request, sent.readChange(ShopForm, kinds), c.var.settings.email);
        return redirectWithFlash(c, SHOP, "The shop's settings were saved.");
      },
    ),
  )
  // What the audit log calls it by.
  .get("/shop/1", administer("settings:read"), (c) => c.redirect(SHOP, 303));

async function shopPage(c: Context<PanelEnv>, failed: Failed | null) {
  const shop = await readShop(c.var.db, c.var.settings.email);
  return page(c, "Shop", <ShopPage shop={shop} failed={failed} />);
}
