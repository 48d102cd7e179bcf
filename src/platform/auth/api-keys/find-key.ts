import { eq } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import { apiKeys } from "../../db/tables/api-keys.ts";
import type { ApiKeyRecord } from "./verify.ts";

/** The key that starts so: what its limiter needs to know of it. */
export const findApiKey = (db: Database, start: string): Promise<ApiKeyRecord | undefined> =>
  db
    .select({
      id: apiKeys.id,
      hash: apiKeys.hash,
      previousHash: apiKeys.previousHash,
      previousExpiresAt: apiKeys.previousExpiresAt,
      permissions: apiKeys.permissions,
      tier: apiKeys.tier,
      expiresAt: apiKeys.expiresAt,
      lastUsedAt: apiKeys.lastUsedAt,
      revokedAt: apiKeys.revokedAt,
    })
    .from(apiKeys)
    .where(eq(apiKeys.start, start))
    .get();

/** Stores a key: `hash` is all that is kept of it besides its first characters. */
export const insertApiKey = (db: Database, key: typeof apiKeys.$inferInsert) =>
  db.insert(apiKeys).values(key).returning();

export const touchApiKey = async (db: Database, id: number, lastUsedAt: number): Promise<void> => {
  await db.update(apiKeys).set({ lastUsedAt }).where(eq(apiKeys.id, id));
};
