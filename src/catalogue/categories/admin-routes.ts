import { Hono } from "hono";
import { IdParam } from "../../domain/fields.ts";
import { writeRequestOf } from "../../platform/administration/write-queries.ts";
import type { AppEnv } from "../../platform/auth/app-env.ts";
import { administer } from "../../platform/auth/gates.ts";
import { created, list, noContent } from "../../platform/http/envelope.ts";
import { PageQuery, pageOf } from "../../platform/http/pagination.ts";
import { answers, answersNothing, creates, lists } from "../../platform/http/route-description.ts";
import { validate } from "../../platform/http/validate.ts";
import { IfMatch, versioned } from "../../platform/http/version.ts";
import { idempotent } from "../../platform/idempotency/header.ts";
import { once } from "../../platform/idempotency/once.ts";
import { Category, CategoryChange, NewCategory, toCategory } from "./admin-schemas.ts";
import { listCategories } from "./queries.ts";
import { changeCategory, createCategory, removeCategory, requireCategory } from "./write.ts";

export const categoriesAdmin = new Hono<AppEnv>()
  .get(
    "/categories",
    administer("products:read"),
    validate("query", PageQuery),
    lists("listAllCategories", "List all categories", Category),
    async (c) => {
      const query = c.req.valid("query");
      const { rows, totalItems, totalIsExact } = await listCategories(c.var.db, query);
      return list(c, "Categories", rows.map(toCategory), pageOf(query, totalItems, totalIsExact));
    },
  )
  .post(
    "/categories",
    administer("products:write"),
    idempotent,
    validate("json", NewCategory),
    creates("createCategory", "Create a category", Category),
    async (c) => {
      const sent = c.req.valid("json");
      const category = await once(c, sent, (author) => createCategory({ db: c.var.db, author }, sent));
      return created(c, `/api/v1/admin/categories/${category.id}`, "Category created", toCategory(category));
    },
  )
  .get(
    "/categories/:id",
    administer("products:read"),
    validate("param", IdParam),
    answers("getCategory", "Get a category", Category, { headers: ["ETag"] }),
    async (c) => {
      const category = await requireCategory(c.var.db, c.req.valid("param").id);
      return versioned(c, "Category", category, toCategory(category));
    },
  )
  .put(
    "/categories/:id",
    administer("products:write"),
    validate("param", IdParam),
    validate("header", IfMatch),
    validate("json", CategoryChange),
    answers("updateCategory", "Update a category", Category, { headers: ["ETag"] }),
    async (c) => {
      const request = writeRequestOf(c, c.req.valid("header"));
      const category = await changeCategory(request, c.req.valid("param").id, c.req.valid("json"));
      return versioned(c, "Category updated", category, toCategory(category));
    },
  )
  .delete(
    "/categories/:id",
    administer("products:write"),
    validate("param", IdParam),
    validate("header", IfMatch),
    answersNothing("deleteCategory", "Delete a category", { refuses: [409] }),
    async (c) => {
      await removeCategory(writeRequestOf(c, c.req.valid("header")), c.req.valid("param").id);
      return noContent(c);
    },
  );
