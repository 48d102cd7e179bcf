import type { Database } from "../../platform/db/client.ts";
import { logFault } from "../../platform/http/log.ts";
import type { Settings } from "../../platform/settings/settings.ts";
import { readBackupStatus } from "../backups/public.ts";

/** The deployment whose health is read. */
export type AlertContext = { env: Env; db: Database; settings: Settings };

/** The last good backup. Nothing is overdue in a shop without the second bucket. */
export type BackupState = { isSetUp: boolean; lastAt: number | null; isOverdue: boolean };

/** Reads the last backup. A bucket that is out of reach hides nothing else. */
export async function readBackupState({ env, db, settings }: AlertContext, now: number): Promise<BackupState> {
  try {
    const { isSetUp, backups, isOverdue } = await readBackupStatus(env, db, { settings, now });
    return { isSetUp, lastAt: backups[0]?.moment ?? null, isOverdue };
  } catch (error) {
    logFault("the bucket of backups is out of reach", error);
    return { isSetUp: true, lastAt: null, isOverdue: false };
  }
}
