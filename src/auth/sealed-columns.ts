import { gt, lt, or, type SQL } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Secrets } from "../settings/settings.ts";
import { type Purpose, seal } from "./seal.ts";
import { hashSecret } from "./secrets.ts";

// What is sealed for years has two columns: `sealed`, and `sealed_under`, which tells under which of the deployment's secrets.
// So the schedule finds what to seal anew before an older secret is dropped.

/** Which of the deployment's secrets is the newest, as `sealed_under` has it. */
export const newestSecret = ([newest]: Secrets): string => hashSecret(newest).slice(0, 16);

/** A value as both columns have it. */
export const sealedColumns = (secrets: Secrets, purpose: Purpose, value: unknown) => ({
  sealed: seal(secrets, purpose, value),
  sealedUnder: newestSecret(secrets),
});

/** The condition that a row is to be sealed anew. As two ranges: an index knows in two steps that there is none. */
export function isSealedUnderOlder(sealedUnder: SQLiteColumn, secrets: Secrets): SQL | undefined {
  const newest = newestSecret(secrets);
  return or(lt(sealedUnder, newest), gt(sealedUnder, newest));
}
