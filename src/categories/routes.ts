import { Hono } from "hono";
import type { AppEnv } from "../auth/app-env.ts";
import { allowShoppers } from "../catalogue-cache/gate.ts";
import { catalogueCache } from "../catalogue-cache/middleware.ts";
import { list } from "../http/envelope.ts";
import { PageQuery, pageOf } from "../http/pagination.ts";
import { lists } from "../http/route-description.ts";
import { validate } from "../http/validate.ts";
import { listCategories } from "./queries.ts";
import { ShopCategory, toShopCategory } from "./schemas.ts";

export const categories = new Hono<AppEnv>().get(
  "/categories",
  allowShoppers,
  catalogueCache,
  validate("query", PageQuery),
  lists("listCategories", "List categories", ShopCategory),
  async (c) => {
    const query = c.req.valid("query");
    const { rows, totalItems, totalIsExact } = await listCategories(c.var.db, query, "active");
    return list(c, "Categories", rows.map(toShopCategory), pageOf(query, totalItems, totalIsExact));
  },
);
