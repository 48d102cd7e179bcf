import { Hono } from "hono";
import { IdParam } from "../../domain/fields.ts";
import { type Caller, seesCosts, writeContextOf } from "../../platform/auth/caller.ts";
import { type AppEnv, administer } from "../../platform/auth/gates.ts";
import { created, list, noContent, ok } from "../../platform/http/envelope.ts";
import { PageQuery } from "../../platform/http/pagination.ts";
import { answers, answersNothing, creates, lists } from "../../platform/http/route-description.ts";
import { validate, validateAll } from "../../platform/http/validate.ts";
import { IfMatch, versioned } from "../../platform/http/version.ts";
import { idempotent, once } from "../../platform/idempotency/once.ts";
import { withPaths } from "./admin.ts";
import {
  AdminProduct,
  AdminProductDetail,
  AllProductsQuery,
  ProductCreate,
  ProductUpdate,
  toAdminProduct,
  toAdminProductDetail,
} from "./admin-schemas.ts";
import { adminListProducts } from "./listing/walk.ts";
import { currencyAndOrigin } from "./routes.ts";
import {
  insertAdjustment,
  listAdjustments,
  StockAdjustment,
  StockAdjustmentCreate,
  toStockAdjustment,
} from "./stock.ts";
import { createVariants, NewVariants } from "./variants/create.ts";
import { changeProduct, createProduct, removeProduct, requireProduct } from "./write.ts";

const adminFacts = (c: Parameters<typeof currencyAndOrigin>[0] & { var: { caller: Caller } }) => ({
  ...currencyAndOrigin(c),
  seesCosts: seesCosts(c.var.caller),
});

export const productsAdmin = new Hono<AppEnv>()
  .get(
    "/products",
    administer("products:read_all"),
    validate("query", AllProductsQuery),
    lists("adminListProducts", "List all products", AdminProduct, {
      description:
        "Lists active products and drafts, without variants. Get the variants of a product with `adminGetProduct`, or list them with `parent_id`.",
    }),
    async (c) => {
      const page = await adminListProducts(c.var.db, c.req.valid("query"));
      return list(c, "Products", page, (row) => toAdminProduct(row, adminFacts(c)));
    },
  )
  .post(
    "/products",
    administer("products:write"),
    idempotent,
    validate("json", ProductCreate),
    creates("createProduct", "Create a product", AdminProductDetail, {
      refuses: {
        400: [
          "external_id_taken",
          "option_values_taken",
          "sku_taken",
          "slug_taken",
          "stock_not_managed",
          "too_many_variants",
        ],
      },
      description:
        "Creates a draft, or with `status: active` a product that shoppers see at once. To sell it in variants, send `options` with all their values, and then call `createVariants`.",
    }),
    async (c) => {
      const sent = withPaths(c.req.valid("json"), new URL(c.req.url).origin);
      const product = await once(c, sent, (ctx) => createProduct(ctx, sent));
      return created(
        c,
        `/api/v1/admin/products/${product.id}`,
        "Product created",
        toAdminProductDetail(product, adminFacts(c)),
      );
    },
  )
  .get(
    "/products/:id",
    administer("products:read_all"),
    validate("param", IdParam),
    answers("adminGetProduct", "Get any product", AdminProductDetail, {
      description: "Returns a product with its variants, stock and options.",
      headers: ["ETag"],
    }),
    async (c) => {
      const product = await requireProduct(c.var.db, c.req.valid("param").id);
      return versioned(c, "Product", product, toAdminProductDetail(product, adminFacts(c)));
    },
  )
  .put(
    "/products/:id",
    administer("products:write"),
    validateAll({ param: IdParam, header: IfMatch, json: ProductUpdate }),
    answers("updateProduct", "Update a product", AdminProductDetail, {
      refuses: {
        400: [
          "below_held",
          "external_id_taken",
          "in_use",
          "option_values_taken",
          "sku_taken",
          "slug_taken",
          "stock_not_managed",
        ],
        409: ["in_use"],
      },
      description:
        "Replaces lists such as `images` and `options` as a whole. Change counted stock with `createStockAdjustment`.",
      headers: ["ETag"],
    }),
    async (c) => {
      const [{ id }, ifMatch] = [c.req.valid("param"), c.req.valid("header")];
      const change = withPaths(c.req.valid("json"), new URL(c.req.url).origin);
      const product = await changeProduct(writeContextOf(c), { id, change, ifMatch });
      return versioned(c, "Product updated", product, toAdminProductDetail(product, adminFacts(c)));
    },
  )
  .delete(
    "/products/:id",
    administer("products:write"),
    validateAll({ param: IdParam, header: IfMatch }),
    answersNothing("deleteProduct", "Delete a product", {
      description:
        "Deletes a product with its variants, which cannot be undone. Setting its `status` to `draft` hides it instead.",
      refuses: { 409: ["in_use"] },
    }),
    async (c) => {
      await removeProduct(writeContextOf(c), { id: c.req.valid("param").id, ifMatch: c.req.valid("header") });
      return noContent(c);
    },
  )
  .post(
    "/products/:id/variants",
    administer("products:write"),
    idempotent,
    validateAll({ param: IdParam, json: NewVariants }),
    creates("createVariants", "Create variants of a product", AdminProductDetail, {
      description:
        "Creates a variant with its own `sku`, its `price` and a value for each of the product's `options`, or all missing combinations with `generate`.",
      refuses: {
        400: [
          "external_id_taken",
          "option_values_taken",
          "sku_taken",
          "slug_taken",
          "stock_not_managed",
          "too_many_variants",
        ],
      },
    }),
    async (c) => {
      const [{ id }, body] = [c.req.valid("param"), c.req.valid("json")];
      const sent = withPaths(body, new URL(c.req.url).origin);
      const product = await once(c, sent, (ctx) => createVariants(ctx, { id, sent }));
      return created(
        c,
        `/api/v1/admin/products/${product.id}`,
        product.id === id ? "Variants created" : "Variant created",
        toAdminProductDetail(product, adminFacts(c)),
      );
    },
  )
  .get(
    "/products/:id/stock",
    administer("products:read_all"),
    validateAll({ param: IdParam, query: PageQuery }),
    lists("listStockAdjustments", "List stock adjustments", StockAdjustment),
    async (c) => {
      const { id } = await requireProduct(c.var.db, c.req.valid("param").id);
      const page = await listAdjustments(c.var.db, id, c.req.valid("query"));
      return list(c, "Stock adjustments", page, toStockAdjustment);
    },
  )
  .post(
    "/products/:id/stock",
    administer("products:write"),
    idempotent,
    validateAll({ param: IdParam, json: StockAdjustmentCreate }),
    answers("createStockAdjustment", "Adjust the stock of a product", AdminProductDetail, {
      refuses: { 400: ["below_held", "negative_stock", "stock_not_managed"] },
      description:
        "Sets the counted stock by `quantity`, changes it by `delta`, or adds `license_keys` or withdraws unsold ones. Variants have their own ids.",
    }),
    async (c) => {
      const [{ id }, sent] = [c.req.valid("param"), c.req.valid("json")];
      const product = await once(c, sent, (ctx) => insertAdjustment(ctx, { id, adjustment: sent }));
      return ok(c, "Stock adjusted", toAdminProductDetail(product, adminFacts(c)));
    },
  );
