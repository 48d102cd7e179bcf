import { sql } from "drizzle-orm";
import { limits } from "../../domain/limits.ts";
import { type Database, DELETED_AT_ONCE } from "../../platform/db/client.ts";

/** Deletes prices that ended more than 30 days ago, oldest first. */
export const deleteOldPrices = (db: Database, now: number) =>
  db.run(sql`DELETE FROM price_history WHERE ended_at <= ${now - limits.PRICE_HISTORY_MS}
    AND id IN (SELECT id FROM price_history ORDER BY id LIMIT ${DELETED_AT_ONCE})`);
