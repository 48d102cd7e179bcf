import { eq, sql } from "drizzle-orm";
import * as z from "zod";
import { CategoryName, CategoryPath } from "../../domain/category-path.ts";
import { badRequest, conflict, fieldError } from "../../domain/errors.ts";
import { Id, IdText } from "../../domain/fields.ts";
import { limits } from "../../domain/limits.ts";
import { Slug, slugOf } from "../../domain/slug.ts";
import { declareFields } from "../../platform/administration/fields.ts";
import { declareResource } from "../../platform/administration/resource.ts";
import type { Database } from "../../platform/db/client.ts";
import { withFreeSlug } from "../../platform/db/free-slugs.ts";
import { countProducts } from "../../platform/db/product-sql.ts";
import { categories as table } from "../../platform/db/schema.ts";
import { inTreeOrder } from "./shop-categories.ts";

const refusedParent = (code: "invalid" | "unknown_reference", words: string) =>
  badRequest(fieldError("parent_id", code, words));

/** Category fields that administrators can edit. */
export const categoryFields = declareFields<
  Omit<typeof table.$inferSelect, "id" | "path" | "treeOrder" | "createdAt" | "updatedAt">
>()({
  name: { schema: CategoryName, input: {} },
  slug: {
    schema: Slug,
    derived: true,
    input: { hint: "Used in addresses. Leave empty to create it from the name, or to keep the current one." },
  },
  parent_id: {
    schema: Id.nullable().describe(
      `Null at the top level. Categories have at most ${limits.CATEGORY_LEVELS} levels, and subcategories move with their parent`,
    ),
    input: { as: "choice", label: "Parent category", options: [] },
  },
});

const resource = declareResource({
  table,
  path: "/categories",
  permission: "products",
  names: { one: "category", many: "categories", shared: true },
  subject: "category",
  fields: categoryFields,
  computed: {
    path: { answer: CategoryPath },
    product_count: {
      sql: countProducts(sql`categories.id`),
      answer: z.int().describe("Number of products, including those of subcategories"),
    },
  },
  filters: {
    parent_id: {
      schema: IdText.optional().describe("Lists the direct subcategories of this category"),
      where: (id) => eq(table.parentId, id),
    },
  },
  order: inTreeOrder,
  refuses: ["slug_taken"],
  refusals: (_, { parent_id }) => ({
    "categories.slug": () => badRequest(fieldError("slug", "slug_taken", "belongs to another category")),
    "FOREIGN KEY": () => refusedParent("unknown_reference", `category ${parent_id} does not exist`),
    category_within_levels: () => refusedParent("invalid", `must leave at most ${limits.CATEGORY_LEVELS} levels`),
    category_not_below_itself: () => refusedParent("invalid", "must not be the category itself or one below it"),
    category_too_large_to_move: () =>
      refusedParent(
        "invalid",
        `cannot change while the category has more than ${limits.PRODUCTS_MOVED.toLocaleString("en")} products. Move its subcategories one by one`,
      ),
  }),
  inUse: () =>
    conflict("in_use", "The category has products, or other categories below it. Move or delete these first"),
});

/** The slug defaults to one derived from the name. */
const create: typeof resource.create = async (ctx, sent) => {
  const write = (slug: string) => resource.insert(ctx, { sent, derived: { slug } });
  return sent.slug === undefined
    ? withFreeSlug(ctx.db, "categories", await slugOf(sent.name), write)
    : write(sent.slug);
};

export const categoryResource = { ...resource, create };

/** The highest category with this name, in any case. */
export const findCategoryNamed = (db: Database, name: string) =>
  db
    .select({ id: table.id })
    .from(table)
    .where(sql`${table.name} = ${name} COLLATE NOCASE`)
    .orderBy(sql`${table.parentId} IS NOT NULL`, table.id)
    .limit(1)
    .get();
