import { gt, lt, or, type SQL } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Secrets } from "../settings/settings.ts";
import { newestSecret } from "./seal.ts";

/** The condition that a row is to be sealed anew. As two ranges: an index knows in two steps that there is none. */
export function isSealedUnderOlder(sealedUnder: SQLiteColumn, secrets: Secrets): SQL | undefined {
  const newest = newestSecret(secrets);
  return or(lt(sealedUnder, newest), gt(sealedUnder, newest));
}
