import { eq } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import { apiKeys } from "../../db/tables/api-keys.ts";
import type { ApiKeyRecord } from "./verify.ts";

/** Returns the key's record for its limiter, by the key's start. */
export const findApiKey = (db: Database, start: string): Promise<ApiKeyRecord | undefined> =>
  db
    .select({
      id: apiKeys.id,
      hash: apiKeys.hash,
      previousHash: apiKeys.previousHash,
      previousExpiresAt: apiKeys.previousExpiresAt,
      permissions: apiKeys.permissions,
      tier: apiKeys.tier,
      test: apiKeys.test,
      allowedAddresses: apiKeys.allowedAddresses,
      allowedOrigins: apiKeys.allowedOrigins,
      expiresAt: apiKeys.expiresAt,
      lastUsedAt: apiKeys.lastUsedAt,
      revokedAt: apiKeys.revokedAt,
    })
    .from(apiKeys)
    .where(eq(apiKeys.start, start))
    .get();

/** Stores a key, of which only `hash` and its first characters are kept. */
export const insertApiKey = (db: Database, key: typeof apiKeys.$inferInsert) =>
  db.insert(apiKeys).values(key).returning();

export const touchApiKey = async (db: Database, id: number, lastUsedAt: number): Promise<void> => {
  await db.update(apiKeys).set({ lastUsedAt }).where(eq(apiKeys.id, id));
};
