import { Hono } from "hono";
import { requireFound } from "../../domain/errors.ts";
import { seesDrafts } from "../../platform/auth/caller.ts";
import type { AppEnv } from "../../platform/auth/gates.ts";
import { allowShoppers, catalogueCache } from "../../platform/catalogue-cache/middleware.ts";
import { list, ok } from "../../platform/http/envelope.ts";
import { answers, lists } from "../../platform/http/route-description.ts";
import { pickFields } from "../../platform/http/sparse-fieldsets.ts";
import { validate, validateAll } from "../../platform/http/validate.ts";
import type { Settings } from "../../platform/settings/settings.ts";
import { listProducts } from "./listing/list.ts";
import { ProductsQuery } from "./listing/query.ts";
import { findProduct } from "./products.ts";
import {
  ProductDetailOrPart,
  ProductOrPart,
  ProductParam,
  ProductQuery,
  toProduct,
  toProductDetail,
} from "./schemas.ts";

/** The deployment's currency and the request's origin, on which a product's JSON depends. */
export const currencyAndOrigin = (c: { var: { settings: Settings }; req: { url: string } }) => ({
  currency: c.var.settings.currency,
  origin: new URL(c.req.url).origin,
});

export const productRoutes = new Hono<AppEnv>()
  .get(
    "/products",
    allowShoppers,
    catalogueCache,
    validate("query", ProductsQuery),
    lists("listProducts", "List products", ProductOrPart, {
      description: "Active products, newest first, without their variants, which `parent_id` lists.",
    }),
    async (c) => {
      const query = c.req.valid("query");
      const found = await listProducts(c.var.db, query, seesDrafts(c.var.caller));
      const facts = currencyAndOrigin(c);
      return list(c, "Products", found, (row) => pickFields(toProduct(row, facts), query.fields));
    },
  )
  .get(
    "/products/:id",
    allowShoppers,
    catalogueCache,
    validateAll({ param: ProductParam, query: ProductQuery }),
    answers("getProduct", "Get a product", ProductDetailOrPart, {
      description: "By id or slug, including a former slug.",
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      const row = await requireFound(findProduct(c.var.db, id, seesDrafts(c.var.caller)), `Product ${id}`);
      return ok(c, "Product", pickFields(toProductDetail(row, currencyAndOrigin(c)), c.req.valid("query").fields));
    },
  );
