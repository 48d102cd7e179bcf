export { type BackupStatus, readBackupStatus } from "./backups.ts";
