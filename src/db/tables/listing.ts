import { customType, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

/** An id, a price or a name: without an affinity, which would turn a name of digits into a number. */
const sortKey = customType<{ data: number | string }>({ dataType: () => "blob COLLATE NOCASE" });

/**
 * Where every product stands in every list: counted B-trees, one for each order of all products (category 0) and of each
 * category's. Triggers keep them right; migrations/0014_listing_rules.sql says how.
 */
export const listingNodes = sqliteTable(
  "listing_nodes",
  {
    id: integer().primaryKey(),
    categoryId: integer("category_id").notNull(),
    sort: text({ enum: ["newest", "price", "name"] }).notNull(),
    /** 1 for nodes whose children are products; the one with the greatest is the root. */
    height: integer().notNull(),
    /** Key and id from which on the node holds everything, up to where the next one of its height begins. */
    lowKey: sortKey("low_key").notNull(),
    lowId: integer("low_id").notNull(),
    /** JSON: [key, id, node] of each child in order, where `node` is null for a product. */
    children: text().notNull(),
    /** JSON: for each kind of product, then for active and draft ones, how many there are up to and with each child. */
    upto: text().notNull(),
  },
  (table) => [
    uniqueIndex("listing_nodes_by_low").on(table.categoryId, table.sort, table.height, table.lowKey, table.lowId),
  ],
);
