import { asc, sql } from "drizzle-orm";
import * as z from "zod";
import { badRequest, conflict, fieldError } from "../../domain/errors.ts";
import { line } from "../../domain/fields.ts";
import { MAX_CATEGORY_NAME, Slug, slugOf } from "../../domain/slug.ts";
import { declareFields } from "../../platform/administration/fields.ts";
import { declareResource } from "../../platform/administration/resource.ts";
import { withFreeSlug } from "../../platform/db/free-slugs.ts";
import { countProducts } from "../../platform/db/product-sql.ts";
import { categories as table } from "../../platform/db/schema.ts";

/** Category fields that administrators can edit. */
export const categoryFields = declareFields<Omit<typeof table.$inferSelect, "id" | "createdAt" | "updatedAt">>()({
  name: {
    column: "name",
    schema: line(MAX_CATEGORY_NAME),
    answer: z.string(),
    input: { as: "text", label: "Name", maxlength: MAX_CATEGORY_NAME },
  },
  slug: {
    column: "slug",
    schema: Slug,
    derived: true,
    answer: z.string(),
    input: {
      as: "text",
      label: "Slug",
      hint: "Used in addresses. Leave empty to create it from the name, or to keep the current one.",
    },
  },
});

const resource = declareResource({
  table,
  path: "/categories",
  permission: "products",
  names: { one: "category", many: "categories", listed: "all categories" },
  subject: "category",
  fields: categoryFields,
  computed: {
    product_count: { column: "productCount", sql: countProducts(sql`categories.id`, {}), answer: z.int() },
  },
  order: [sql`${table.name} COLLATE NOCASE`, asc(table.id)],
  refusals: () => ({
    "categories.slug": () => badRequest(fieldError("slug", "slug_taken", "belongs to another category")),
  }),
  inUse: () => conflict("in_use", "The category has products. Move them first"),
});

/** The slug defaults to one derived from the name. */
const create: typeof resource.create = async (ctx, sent) => {
  const write = (slug: string) => resource.insert(ctx, { sent, derived: { slug } });
  return sent.slug === undefined
    ? withFreeSlug(ctx.db, "categories", await slugOf(sent.name), write)
    : write(sent.slug);
};

export const categoryResource = { ...resource, create };
