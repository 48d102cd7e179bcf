import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { createdAt, id, updatedAt } from "./columns.ts";

/** Formats of product feeds, named for who defines them. */
export const feedFormats = ["google", "openai"] as const;
export type FeedFormat = (typeof feedFormats)[number];

/** Lists of all products for sale, each for one destination that reads it at a secret address. */
export const feeds = sqliteTable("feeds", {
  id: id(),
  name: text().notNull(),
  format: text({ enum: feedFormats }).notNull(),
  /** ISO 3166-1. Country whose shoppers see the products. */
  country: text().notNull(),
  /** Address of a product in the shop, with {id} or {slug} in place of the product's own. */
  productUrl: text("product_url").notNull(),
  returnsUrl: text("returns_url"),
  /** SHA-256 of the key in its address. Null until it has one. */
  keyHash: text("key_hash").unique(),
  readAt: integer("read_at"),
  createdAt: createdAt(),
  updatedAt: updatedAt(),
});
