import { desc, eq, notInArray, type SQL, sql } from "drizzle-orm";
import { version as release } from "../../../package.json";
import { ApiError } from "../../domain/errors.ts";
import { hashSecret } from "../../platform/auth/secrets.ts";
import { appliedMigrations, type Database } from "../../platform/db/client.ts";
import { deployments, knownSecrets } from "../../platform/db/schema.ts";
import { insertRows } from "../../platform/db/statements.ts";
import type { Settings } from "../../platform/settings/settings.ts";
import { readBackupStatus } from "../backups/public.ts";

export type DeploymentRow = typeof deployments.$inferSelect;

/** Records a version of the Worker when it first runs. */
export async function recordVersion(db: Database, version: string, now: number): Promise<void> {
  const known = await db.select().from(deployments).where(eq(deployments.version, version)).get();
  if (known) return;
  const row = { version, release, migration: (await appliedMigrations(db)).at(-1) ?? null, createdAt: now };
  await db.insert(deployments).values(row).onConflictDoNothing();
}

/** The query for the versions that first ran most recently, newest first. */
export const newestVersions = (db: Database, limit: number) =>
  db.select().from(deployments).orderBy(desc(deployments.createdAt)).limit(limit);

/** Secrets whose age is monitored. In a list, the newest value is the one in use. */
const watchedSecrets = [
  "API_KEY_SECRET",
  "LINK_SECRET",
  "TOKEN_KEYS",
  "SIGNING_KEYS",
  "STRIPE_SECRET_KEY",
  "STRIPE_WEBHOOK_SECRET",
  "PAYPAL_CLIENT_SECRET",
  "RESEND_API_KEY",
] as const satisfies readonly (keyof Env)[];

/** The value in use: the first of a comma-separated list or of an array of keys. */
function newestOf(value: string): string {
  if (!value.trimStart().startsWith("[")) return value.split(",", 1)[0]?.trim() ?? "";
  const [newest]: unknown[] = JSON.parse(value);
  return JSON.stringify(newest);
}

/** Prefixes of the hashes of the secrets in use. They identify a value and reveal nothing about it. */
const fingerprintsOf = (env: Env) =>
  watchedSecrets.flatMap((name) => {
    const value = env[name];
    return value ? [{ name, fingerprint: hashSecret(newestOf(value)).slice(0, 16) }] : [];
  });

/** The statements that record when the secrets in use were first seen, and delete those no longer in use. */
export function recordSecrets(env: Env, now: number): SQL[] {
  const inUse = fingerprintsOf(env);
  const fingerprints = inUse.map(({ fingerprint }) => fingerprint);
  return [
    sql`DELETE FROM ${knownSecrets} WHERE ${notInArray(knownSecrets.fingerprint, fingerprints)}`,
    sql`${insertRows(
      knownSecrets,
      inUse.map((row) => ({ ...row, createdAt: now })),
    )} WHERE TRUE ON CONFLICT DO NOTHING`,
  ];
}

export type SecretRow = typeof knownSecrets.$inferSelect;

/** The query for the secrets in use. */
export const secretsInUse = (db: Database) => db.select().from(knownSecrets).orderBy(knownSecrets.name);

/** The deployment whose health is read. */
export type AlertContext = { env: Env; db: Database; settings: Settings };

/** The last good backup. Nothing is overdue in a shop without a backup bucket. */
export type BackupState = { isSetUp: boolean; lastAt: number | null; isOverdue: boolean };

/**
 * Reads the last backup. A bucket that cannot be reached hides nothing else, and counts as one without a current
 * backup.
 */
export async function readBackupState({ env, db, settings }: AlertContext, now: number): Promise<BackupState> {
  try {
    const { isSetUp, backups, isOverdue } = await readBackupStatus(env, db, { settings, now });
    return { isSetUp, lastAt: backups[0]?.moment ?? null, isOverdue };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { isSetUp: true, lastAt: null, isOverdue: true };
  }
}
