import { Hono } from "hono";
import type { AppEnv } from "../../platform/auth/gates.ts";
import { allowShoppers, catalogueCache } from "../../platform/catalogue-cache/middleware.ts";
import { list } from "../../platform/http/envelope.ts";
import { PageQuery } from "../../platform/http/pagination.ts";
import { lists } from "../../platform/http/route-description.ts";
import { validate } from "../../platform/http/validate.ts";
import { listShopCategories, ShopCategory, toShopCategory } from "./shop-categories.ts";

export const categoryRoutes = new Hono<AppEnv>().get(
  "/categories",
  allowShoppers,
  catalogueCache,
  validate("query", PageQuery),
  lists("listCategories", "List categories", ShopCategory, {
    description: "The whole tree, page by page, with the number of active products.",
  }),
  async (c) => {
    const page = await listShopCategories(c.var.db, c.req.valid("query"));
    return list(c, "Categories", page, toShopCategory);
  },
);
