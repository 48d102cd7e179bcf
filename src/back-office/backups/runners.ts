import { onFirstUse } from "../../platform/http/on-first-use.ts";

/** The runner of backups. */
export const backupRunners = { back_up: onFirstUse(async () => (await import("./back-up.ts")).backUp) };
