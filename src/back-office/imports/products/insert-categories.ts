import { type SQL, sql } from "drizzle-orm";
import { auditStates } from "../../../platform/audit/audit.ts";
import type { WriteContext } from "../../../platform/auth/caller.ts";
import { categories } from "../../../platform/db/schema.ts";
import { insertSelected } from "../../../platform/db/statements.ts";
import { jsonRows, unusedId } from "../row-writes.ts";
import type { NewCategories } from "./found.ts";

/** Statements that create the categories of a slice, parents first. */
export function insertCategories({ author }: Pick<WriteContext, "author">, made: NewCategories): SQL[] {
  if (made.size === 0) return [];
  const all = [...made.values()];
  const rows = jsonRows(all);
  const { id, name, slug, parentId } = categories;
  // A statement does not see its own inserted rows, so each level has its own statement.
  const levels = Map.groupBy(all, ({ level }) => level);
  return [
    ...[...levels.keys()].sort().map((level) =>
      insertSelected(
        categories,
        {
          id: unusedId("categories"),
          name: sql`each.value ->> 'name'`,
          slug: sql`each.value ->> 'slug'`,
          parentId: sql`coalesce(each.value ->> 'parentId', (
            SELECT parent.id FROM categories AS parent WHERE parent.slug = each.value ->> 'parentSlug'))`,
          createdAt: author.now,
          updatedAt: author.now,
        },
        sql`FROM ${jsonRows(levels.get(level) ?? [])}`,
      ),
    ),
    auditStates(
      { author },
      {
        subject: "category",
        action: "create",
        id: sql`${id}`,
        after: sql`json_object('name', ${name}, 'slug', ${slug}, 'parent_id', ${parentId})`,
        from: sql`FROM ${rows} JOIN ${categories} ON ${slug} = each.value ->> 'slug'`,
      },
    ),
  ];
}
