import { type AnySQLiteColumn, index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { users } from "../../accounts/users/tables.ts";
import { createdAt, foreignId } from "../../platform/db/columns.ts";
import { apiKeys } from "../api-keys/tables.ts";
import { apps, tokenResources } from "./tables.ts";

/** Authorization codes. A row outlives its use, so that a replayed code ends the tokens it was exchanged for. */
export const appCodes = sqliteTable(
  "app_codes",
  {
    /** SHA-256 of the code, hex. It also names the family of its tokens. */
    hash: text().primaryKey(),
    appId: foreignId("app_id", () => apps.id, { onDelete: "cascade" }),
    /** The person who gave consent. */
    userId: foreignId("user_id", () => users.id, { onDelete: "cascade" }),
    /** The installation, if staff gave consent. Null for a shopper's. */
    apiKeyId: integer("api_key_id").references(() => apiKeys.id, { onDelete: "cascade" }),
    scopes: text({ mode: "json" }).$type<string[]>().notNull(),
    redirectUri: text("redirect_uri").notNull(),
    /** SHA-256 of the client's verifier, base64url (RFC 7636). */
    codeChallenge: text("code_challenge").notNull(),
    resource: text({ enum: tokenResources }).notNull(),
    /** The session in which the person gave consent, with which the code ends. A shopper's becomes the app's. */
    sessionId: text("session_id").notNull(),
    expiresAt: integer("expires_at").notNull(),
    spentAt: integer("spent_at"),
    createdAt: createdAt(),
  },
  (table) => [
    index("app_codes_by_app").on(table.appId),
    index("app_codes_by_user").on(table.userId),
    index("app_codes_by_installation").on(table.apiKeyId),
    index("app_codes_by_expiry").on(table.expiresAt),
  ],
);

/** Access and refresh tokens of installations. */
export const appTokens = sqliteTable(
  "app_tokens",
  {
    /** SHA-256 of the token, hex. */
    hash: text().primaryKey(),
    apiKeyId: foreignId("api_key_id", () => apiKeys.id, { onDelete: "cascade" }),
    /** Tokens of one authorization code have one family. Reuse of a spent refresh token ends all of it. */
    family: text().notNull(),
    kind: text({ enum: ["access", "refresh"] }).notNull(),
    resource: text({ enum: tokenResources }).notNull(),
    /** The refresh token that this one replaced. */
    parentHash: text("parent_hash").references((): AnySQLiteColumn => appTokens.hash, { onDelete: "set null" }),
    expiresAt: integer("expires_at").notNull(),
    spentAt: integer("spent_at"),
    createdAt: createdAt(),
  },
  (table) => [
    uniqueIndex("app_tokens_parent").on(table.parentHash),
    index("app_tokens_by_installation").on(table.apiKeyId, table.kind),
    index("app_tokens_by_family").on(table.family),
    index("app_tokens_by_expiry").on(table.expiresAt),
  ],
);
