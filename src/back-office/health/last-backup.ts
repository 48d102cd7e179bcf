import { ApiError } from "../../domain/errors.ts";
import type { Database } from "../../platform/db/client.ts";
import type { Settings } from "../../platform/settings/settings.ts";
import { readBackupStatus } from "../backups/public.ts";

/** The deployment whose health is read. */
export type AlertContext = { env: Env; db: Database; settings: Settings };

/** The last good backup. Nothing is overdue in a shop without the second bucket. */
export type BackupState = { isSetUp: boolean; lastAt: number | null; isOverdue: boolean };

/** Reads the last backup. A bucket that is out of reach hides nothing else, and counts as one without a current backup. */
export async function readBackupState({ env, db, settings }: AlertContext, now: number): Promise<BackupState> {
  try {
    const { isSetUp, backups, isOverdue } = await readBackupStatus(env, db, { settings, now });
    return { isSetUp, lastAt: backups[0]?.moment ?? null, isOverdue };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { isSetUp: true, lastAt: null, isOverdue: true };
  }
}
