import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { createdAt, id, updatedAt } from "../../platform/db/columns.ts";

/** OAuth clients: those that an administrator registered, and those that describe themselves at the URL that is their client id. */
export const apps = sqliteTable("apps", {
  id: id(),
  clientId: text("client_id").notNull().unique(),
  name: text().notNull(),
  /** The developer, as the administrator knows them who registered the app. Null for an app that describes itself. */
  publisher: text(),
  redirectUris: text("redirect_uris", { mode: "json" }).$type<string[]>().notNull(),
  /** SHA-256 of the client secret, hex. Null for a public client. */
  secretHash: text("secret_hash"),
  /** Set while an administrator blocks the app, or once its registration was deleted. */
  deletedAt: integer("deleted_at"),
  createdAt: createdAt(),
  updatedAt: updatedAt(),
});

export type AppRow = typeof apps.$inferSelect;

/** The resources of the shop, by path (RFC 8707). A token for one is refused at the others. */
export const tokenResources = ["/api/v1", "/mcp/admin", "/mcp"] as const;
export type TokenResource = (typeof tokenResources)[number];
