import { sql } from "drizzle-orm";
import { DAY_MS } from "../../domain/time.ts";
import { type Database, DELETED_AT_ONCE } from "../../platform/db/client.ts";
import { nudge } from "../webhooks/public.ts";

/** A spent refresh token that comes back later is refused like an unknown one, and ends nothing. */
const SPENT_MS = 7 * DAY_MS;

/** Longer than deliveries are retried, so that a removed app learns of it. */
const REMOVED_MS = 5 * DAY_MS;

/** Deletes codes and tokens of no more use, and the webhooks of apps that were removed days ago. */
export async function deleteExpiredGrants(env: Env, db: Database, now: number): Promise<void> {
  await db.run(sql`DELETE FROM app_codes WHERE hash IN (
    SELECT hash FROM app_codes WHERE expires_at <= ${now - DAY_MS} LIMIT ${DELETED_AT_ONCE})`);
  await db.run(sql`DELETE FROM app_tokens WHERE hash IN (
    SELECT hash FROM app_tokens WHERE expires_at <= ${now} OR spent_at <= ${now - SPENT_MS} LIMIT ${DELETED_AT_ONCE})`);
  const deleted = await db.all<{ id: number; key: string }>(sql`DELETE FROM webhook_endpoints WHERE installation_id IN (
    SELECT id FROM api_keys WHERE app_id IS NOT NULL AND revoked_at <= ${now - REMOVED_MS}) RETURNING id, key`);
  await Promise.all(deleted.map((endpoint) => nudge(env, endpoint)));
}
