import { type SQL, sql } from "drizzle-orm";

/**
 * The id of the category that is meant: by its slug, else by its id, else by its name, of two that are called the same the
 * older one. So the slug `2024` is found although there is a category with that id. Null when there is none.
 */
export const categoryId = (meant: string): SQL => sql`(
  SELECT coalesce(
    (SELECT id FROM categories WHERE slug = lower(value)),
    (SELECT id FROM categories WHERE id = CAST(value AS INTEGER) AND value NOT GLOB '*[^0-9]*'),
    (SELECT min(id) FROM categories WHERE name = value COLLATE NOCASE)
  ) FROM (SELECT ${meant} AS value)
)`;
