import { type SQLWrapper, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { newestSecret, type Purpose, sealedColumns, unseal } from "../auth/seal.ts";
import type { Database } from "../db/client.ts";
import type { QueueName } from "../db/schema.ts";
import type { Secrets } from "../settings/settings.ts";
import { isFree } from "./failed-items.ts";
import { workOff } from "./work-off.ts";

/** A table with `sealedColumns`. */
type SealedTable = {
  queue: QueueName;
  id: SQLiteColumn;
  /** The column that names a row in the purpose of its value. */
  nameColumn: SQLWrapper;
  purposeOf: (name: string) => Purpose;
};

type SealedRow = { id: number; name: string; sealed: string };

/** Maximum number of values re-encrypted in one run. */
const MOST = 100;

/** Encrypts the values of a table under the deployment's newest secret, so that an older one can be dropped. */
export function reseal(db: Database, secrets: Secrets, now: number, sealed: SealedTable): Promise<void> {
  const { queue, id, nameColumn, purposeOf } = sealed;
  const newest = newestSecret(secrets);
  return workOff(db, now, {
    queue,
    // Two ranges instead of `<>`, so that an index finds the rows.
    find: () =>
      db.all<SealedRow>(sql`SELECT ${id} AS id, ${nameColumn} AS name, sealed FROM ${id.table}
        WHERE (sealed_under < ${newest} OR sealed_under > ${newest}) AND ${isFree(queue, id, now)} LIMIT ${MOST}`),
    idOf: (row) => row.id,
    run: async (row) => {
      const purpose = purposeOf(row.name);
      const again = sealedColumns(secrets, purpose, unseal(secrets, purpose, row.sealed));
      await db.run(sql`UPDATE ${id.table} SET sealed = ${again.sealed}, sealed_under = ${again.sealedUnder}
        WHERE ${id} = ${row.id} AND sealed = ${row.sealed}`);
    },
  });
}
