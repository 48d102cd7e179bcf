import { Hono } from "hono";
import { writeRequestOf } from "../../platform/administration/write-queries.ts";
import type { AppEnv } from "../../platform/auth/app-env.ts";
import { administer } from "../../platform/auth/gates.ts";
import { answers } from "../../platform/http/route-description.ts";
import { validate } from "../../platform/http/validate.ts";
import { IfMatch, versioned } from "../../platform/http/version.ts";
import { Shop, ShopChange, toShop } from "./fields.ts";
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
    validate("header", IfMatch),
    validate("json", ShopChange),
    answers("updateShop", "Update the shop's settings", Shop, { headers: ["ETag"] }),
    async (c) => {
      const request = writeRequestOf(c, c.req.valid("header"));
      const shop = await changeShop(request, c.req.valid("json"), c.var.settings.email);
      return versioned(c, "Shop updated", shop, toShop(shop));
    },
  );
