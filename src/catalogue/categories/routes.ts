import { Hono } from "hono";
import type { AppEnv } from "../../platform/auth/app-env.ts";
import { allowShoppers, catalogueCache } from "../../platform/catalogue-cache/middleware.ts";
import { list } from "../../platform/http/envelope.ts";
import { PageQuery, pageOf } from "../../platform/http/pagination.ts";
import { lists } from "../../platform/http/route-description.ts";
import { validate } from "../../platform/http/validate.ts";
import { listShopCategories, ShopCategory, toShopCategory } from "./shop-categories.ts";

export const categoryRoutes = new Hono<AppEnv>().get(
  "/categories",
  allowShoppers,
  catalogueCache,
  validate("query", PageQuery),
  lists("listCategories", "List categories", ShopCategory),
  async (c) => {
    const query = c.req.valid("query");
    const { rows, totalItems, totalIsExact } = await listShopCategories(c.var.db, query);
    return list(c, "Categories", rows.map(toShopCategory), pageOf(query, totalItems, totalIsExact));
  },
);
