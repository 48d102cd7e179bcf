import { Hono } from "hono";
import * as z from "zod";
import { Nothing } from "../../domain/fields.ts";
import { writeContextOf } from "../../platform/auth/caller.ts";
import { type AppEnv, administer } from "../../platform/auth/gates.ts";
import { ok } from "../../platform/http/envelope.ts";
import { answers } from "../../platform/http/route-description.ts";
import { validate } from "../../platform/http/validate.ts";
import { listPageTexts } from "./pages.ts";
import { PageTextParams, ShopPage, ShopPageUpdate, toShopPage } from "./schemas.ts";
import { changePage } from "./write.ts";

export const pagesAdmin = new Hono<AppEnv>()
  .get(
    "/pages",
    administer("settings:read"),
    validate("query", Nothing),
    answers("adminListPages", "List the shop's pages in all languages", z.array(ShopPage)),
    async (c) => ok(c, "Pages", (await listPageTexts(c.var.db)).map(toShopPage)),
  )
  .put(
    "/pages/:slug/:language",
    administer("settings:write"),
    validate("param", PageTextParams),
    validate("json", ShopPageUpdate),
    answers("updatePage", "Write a new version of a page", ShopPage),
    async (c) => {
      const page = await changePage(writeContextOf(c), { ...c.req.valid("param"), change: c.req.valid("json") });
      return ok(c, "Page updated", toShopPage(page));
    },
  );
