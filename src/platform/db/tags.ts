import { and, eq, gt, type SQL, sql } from "drizzle-orm";
import { customerTags, tags } from "../../accounts/users/tables.ts";
import { orderTags } from "../../checkout/orders/order-history.tables.ts";
import { distinctTags, withFolded } from "../../domain/tags.ts";
import { fold } from "../../domain/text.ts";
import type { Database } from "./client.ts";
import { json } from "./json.ts";

const jsonOf = (names: readonly string[]): string => JSON.stringify(withFolded(names));

/** Tags in the spelling of existing ones. */
export const spelledTags = (names: readonly string[]): SQL<string[]> =>
  json<string[]>(sql`(
    SELECT json_group_array(coalesce(tags.name, value ->> 0)) FROM json_each(${jsonOf(names)})
    LEFT JOIN tags ON folded_name = value ->> 1)`);

/** Reads the shop's spelling of tags. */
export async function spellTags(db: Database, names: string[]): Promise<string[]> {
  const [row] = await db.select({ tags: spelledTags(distinctTags(names)) }).from(sql`(SELECT 1)`);
  return row?.tags ?? names;
}

/** Creates missing tags. */
export const createTags = (names: readonly string[]): SQL =>
  sql`INSERT INTO ${tags} (name, folded_name) SELECT value ->> 0, value ->> 1 FROM json_each(${jsonOf(names)})
    WHERE value ->> 1 NOT IN (SELECT folded_name FROM ${tags})`;

/** The values of a column of tags, which are given as JSON of `withFolded`, in their order. */
export const tagsAs = (column: "id" | "name", given: SQL | string): SQL => sql`(
  SELECT json_group_array(${sql.raw(column)}) FROM (
    SELECT tags.id, tags.name FROM json_each(${given}) CROSS JOIN tags ON folded_name = value ->> 1 ORDER BY key))`;

/** Columns with the tags of a row, by table. */
const columnsWith = {
  products: (given: string) => ({ tags: tagsAs("name", given), tagIds: tagsAs("id", given) }),
  users: (given: string) => ({ tags: tagsAs("name", given) }),
  orders: (given: string) => ({ tags: tagsAs("name", given) }),
};

/** The tags of a row, as part of its creation or change. Missing tags are created first. */
export const writtenTags = (table: keyof typeof columnsWith, names: string[]) => ({
  related: { tags: names },
  ahead: [createTags(names)],
  stored: columnsWith[table](jsonOf(names)),
});

const inUse = {
  products: sql`EXISTS (SELECT 1 FROM products_search WHERE products_search MATCH ('facets : qzt' || tags.id))`,
  users: gt(tags.customers, 0),
  orders: sql`EXISTS (SELECT 1 FROM ${orderTags} WHERE tag_id = tags.id)`,
};

/** The tags that products, customers or orders have, by name. */
export const findTags = (db: Database, table: keyof typeof inUse, most: number) =>
  db.select({ name: tags.name }).from(tags).where(inUse[table]).orderBy(tags.foldedName, tags.id).limit(most);

/** The number of customers with a tag, which is updated whenever a customer gets or loses it. */
export const countCustomers = (db: Database, name: string) =>
  db
    .select({ customers: tags.customers })
    .from(tags)
    .where(eq(tags.foldedName, fold(name)));

/** True if the customer with an id has all of some tags. SQLite looks up each tag once, not for each customer. */
export const hasCustomerTags = (names: readonly string[], userId: SQL): SQL | undefined =>
  and(
    ...names.map(
      (name) => sql`EXISTS (SELECT 1 FROM ${customerTags} WHERE customer_tags.user_id = ${userId}
        AND customer_tags.tag_id = (SELECT id FROM ${tags} WHERE folded_name = ${fold(name)}))`,
    ),
  );

/** The ids of the orders with a tag. */
export const ordersWithTag = (name: string): SQL =>
  sql`SELECT order_id AS id FROM ${orderTags} WHERE tag_id = (SELECT id FROM ${tags} WHERE folded_name = ${fold(name)})`;

/** The ids of the customers who have all of some tags. Only the customers of the rarest tag are read. */
export const customersWithTags = (names: readonly string[]): SQL => sql`
  SELECT user_id AS id FROM ${customerTags} AS tagged WHERE tag_id = (
    SELECT tags.id FROM json_each(${JSON.stringify(names.map(fold))}) LEFT JOIN ${tags} ON folded_name = value
    ORDER BY ifnull(customers, 0) LIMIT 1)
  ${names.length > 1 ? sql`AND ${hasCustomerTags(names, sql`tagged.user_id`)}` : sql.empty()}`;
