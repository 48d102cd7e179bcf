import { index, sqliteTable, sqliteView, text } from "drizzle-orm/sqlite-core";
import { languages } from "../../domain/language.ts";
import { createdAt, rowId } from "../../platform/db/columns.ts";

/** Pages that a shop needs by law, by the part of their address. */
export const pageSlugs = ["terms", "privacy", "imprint", "withdrawal", "returns", "shipping"] as const;
export type PageSlug = (typeof pageSlugs)[number];

const version = {
  id: rowId(),
  slug: text({ enum: pageSlugs }).notNull(),
  language: text({ enum: languages }).notNull(),
  title: text().notNull(),
  /** Markdown. Empty if the page was withdrawn. */
  text: text().notNull(),
  createdAt: createdAt(),
};

/** Every text that a page had. A change inserts a version, so that the terms of an order stay readable. */
export const pageVersions = sqliteTable("page_versions", version, (table) => [
  index("page_versions_by_page").on(table.slug, table.language),
]);

/** The newest version of each page and language that has a text. */
export const currentPages = sqliteView("current_pages", version).existing();
