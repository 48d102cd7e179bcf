import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, unique, uniqueIndex } from "drizzle-orm/sqlite-core";
import { users } from "../../accounts/users/tables.ts";
import { createdAt, flag, foldedNameColumn, id, isFolded, updatedAt } from "../../platform/db/columns.ts";
import { comparedName } from "../../platform/db/search-words.ts";
import { apps } from "../apps/tables.ts";

export const tiers = ["standard", "premium"] as const;
export type Tier = (typeof tiers)[number];

export const apiKeys = sqliteTable(
  "api_keys",
  {
    id: id(),
    name: text().notNull(),
    foldedName: foldedNameColumn(),
    /** First characters of the key, shown in the panel. They name its Durable Object and survive rotation. */
    start: text().notNull().unique(),
    /** SHA-256 of the key, hex. */
    hash: text().notNull(),
    /** The key before the last rotation, valid until `previousExpiresAt`. */
    previousHash: text("previous_hash"),
    previousExpiresAt: integer("previous_expires_at"),
    permissions: text({ mode: "json" }).$type<string[]>().notNull(),
    tier: text({ enum: tiers }).notNull(),
    /** True for a test key, whose orders move no money. Never changes. */
    test: flag("test").notNull().default(false),
    /** Addresses and CIDR ranges from which the key may be used. Any address if empty. */
    allowedAddresses: text("allowed_addresses", { mode: "json" }).$type<string[]>().notNull().default([]),
    /** Origins of the web pages that may use the key. Empty for a server's key. */
    allowedOrigins: text("allowed_origins", { mode: "json" }).$type<string[]>().notNull().default([]),
    expiresAt: integer("expires_at"),
    lastUsedAt: integer("last_used_at"),
    revokedAt: integer("revoked_at"),
    createdBy: integer("created_by").references(() => users.id),
    /** The app whose installation by `createdBy` this is. Its credentials are the tokens in `app_tokens`. Null for a key. */
    appId: integer("app_id").references(() => apps.id),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    isFolded("api_key_name_is_folded", `"name"`, "folded_name"),
    index("api_keys_by_name").on(comparedName),
    unique("api_key_mode").on(table.id, table.test),
    uniqueIndex("api_keys_one_installation").on(table.appId, table.createdBy).where(sql.raw("revoked_at IS NULL")),
  ],
);
