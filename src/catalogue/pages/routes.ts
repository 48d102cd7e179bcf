import { Hono } from "hono";
import * as z from "zod";
import type { AppEnv } from "../../platform/auth/gates.ts";
import { allowShoppers, catalogueCache } from "../../platform/catalogue-cache/middleware.ts";
import { ok } from "../../platform/http/envelope.ts";
import { answers } from "../../platform/http/route-description.ts";
import { validate } from "../../platform/http/validate.ts";
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
    answers("listPages", "List the shop's pages, such as its terms", z.array(ShopPageSummary)),
    async (c) => {
      const pages = await listPages(c.var.db, c.req.valid("query").language);
      return ok(c, "Pages", pages.map(toShopPageSummary));
    },
  )
  .get(
    "/pages/:slug",
    allowShoppers,
    catalogueCache,
    validate("param", PageParam),
    validate("query", PageVersionQuery),
    answers("getPage", "Get a page of the shop", ShopPage),
    async (c) => {
      const page = await requirePage(c.var.db, { ...c.req.valid("param"), ...c.req.valid("query") });
      return ok(c, "Page", toShopPage(page));
    },
  );
