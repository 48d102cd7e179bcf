import { Hono } from "hono";
import { writeContextOf } from "../../platform/auth/caller.ts";
import { type AppEnv, administer } from "../../platform/auth/gates.ts";
import { answers } from "../../platform/http/route-description.ts";
import { validateAll } from "../../platform/http/validate.ts";
import { IfMatch, versioned } from "../../platform/http/version.ts";
import { Shop, ShopUpdate, toShop } from "./fields.ts";
import { changeShop, readShop } from "./shop.ts";

export const shopAdmin = new Hono<AppEnv>()
  .get(
    "/shop",
    administer("settings:read"),
    answers("getShop", "Get the shop's settings", Shop, { headers: ["ETag"] }),
    async (c) => {
      const shop = await readShop(c.var.db, c.var.settings.email);
      return versioned(c, "Shop", shop, toShop(shop));
    },
  )
  .put(
    "/shop",
    administer("settings:write"),
    validateAll({ header: IfMatch, json: ShopUpdate }),
    answers("updateShop", "Update the shop's settings", Shop, { headers: ["ETag"] }),
    async (c) => {
      const [change, ifMatch] = [c.req.valid("json"), c.req.valid("header")];
      const shop = await changeShop(writeContextOf(c), { change, ifMatch });
      return versioned(c, "Shop updated", shop, toShop(shop));
    },
  );
