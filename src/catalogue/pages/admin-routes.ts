import { Hono } from "hono";
import { writeContextOf } from "../../platform/auth/caller.ts";
import { type AppEnv, administer } from "../../platform/auth/gates.ts";
import { list, ok } from "../../platform/http/envelope.ts";
import { PageQuery, pageOfAll } from "../../platform/http/pagination.ts";
import { answers, lists } from "../../platform/http/route-description.ts";
import { validate, validateAll } from "../../platform/http/validate.ts";
import { listPageTexts } from "./pages.ts";
import { PageTextParams, ShopPage, ShopPageUpdate, toShopPage } from "./schemas.ts";
import { changePage } from "./write.ts";

export const pagesAdmin = new Hono<AppEnv>()
  .get(
    "/pages",
    administer("settings:read"),
    validate("query", PageQuery),
    lists("adminListPages", "List the shop's pages in all languages", ShopPage),
    async (c) => list(c, "Pages", pageOfAll(c.req.valid("query"), await listPageTexts(c.var.db)), toShopPage),
  )
  .put(
    "/pages/:slug/:language",
    administer("settings:write"),
    validateAll({ param: PageTextParams, json: ShopPageUpdate }),
    answers("updatePage", "Write a new version of a page", ShopPage),
    async (c) => {
      const page = await changePage(writeContextOf(c), { ...c.req.valid("param"), change: c.req.valid("json") });
      return ok(c, "Page updated", toShopPage(page));
    },
  );
