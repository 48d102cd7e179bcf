import { Hono } from "hono";
import type { AppEnv } from "../../platform/auth/gates.ts";
import { allowShoppers, catalogueCache } from "../../platform/catalogue-cache/middleware.ts";
import { list, ok } from "../../platform/http/envelope.ts";
import { pageOfAll } from "../../platform/http/pagination.ts";
import { answers, lists } from "../../platform/http/route-description.ts";
import { validate, validateAll } from "../../platform/http/validate.ts";
import { listPages, requirePage } from "./pages.ts";
import {
  PageParam,
  PagesQuery,
  PageVersionQuery,
  ShopPage,
  ShopPageSummary,
  toShopPage,
  toShopPageSummary,
} from "./schemas.ts";

export const pageRoutes = new Hono<AppEnv>()
  .get(
    "/pages",
    allowShoppers,
    catalogueCache,
    validate("query", PagesQuery),
    lists("listPages", "List the shop's pages, such as its terms", ShopPageSummary),
    async (c) => {
      const query = c.req.valid("query");
      const page = pageOfAll(query, await listPages(c.var.db, query.language));
      return list(c, "Pages", page, toShopPageSummary);
    },
  )
  .get(
    "/pages/:slug",
    allowShoppers,
    catalogueCache,
    validateAll({ param: PageParam, query: PageVersionQuery }),
    answers("getPage", "Get a page of the shop", ShopPage),
    async (c) => {
      const page = await requirePage(c.var.db, { ...c.req.valid("param"), ...c.req.valid("query") });
      return ok(c, "Page", toShopPage(page));
    },
  );
