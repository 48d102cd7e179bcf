import { slicedTables } from "../../src/back-office/backups/tables.ts";
import type { Guard } from "./guard.ts";

const events = [
  {
    event: "UPDATE",
    row: "NEW",
    noun: "update",
    comment: "Records an updated row while a backup reads its table.",
  },
  {
    event: "DELETE",
    row: "OLD",
    noun: "deletion",
    comment: "Records a deleted row while a backup reads its table.",
  },
];

/**
 * Triggers that record the changed rows of every sliced table while a backup reads it. They count because SQLite reads no
 * row for the count of an empty table, but one for EXISTS, and D1 bills it.
 */
export const backupGuards = (): Guard[] => [
  ...slicedTables.flatMap((table) =>
    events.map(({ event, row, noun, comment }) =>
      guardOf({
        name: `${table}_${noun}_is_backed_up`,
        comment,
        sql: `AFTER ${event} ON ${table} WHEN (SELECT count(*) FROM backup_changes)
BEGIN
  INSERT INTO backup_changes (table_name, changed_row) VALUES ('${table}', ${row}.rowid) ON CONFLICT DO NOTHING;
END`,
      }),
    ),
  ),
  guardOf({
    name: "backup_end_forgets_changes",
    comment: "Deletes the recorded changes of a backup that has ended.",
    sql: `AFTER UPDATE OF state ON jobs WHEN NEW.kind = 'back_up' AND NEW.state NOT IN ('queued', 'running')
BEGIN
  DELETE FROM backup_changes;
END`,
  }),
];

const guardOf = ({ name, comment, sql }: Pick<Guard, "name" | "comment" | "sql">): Guard => ({
  noun: "backups",
  kind: "trigger",
  name,
  comment,
  sql: `CREATE TRIGGER ${name} ${sql}`,
});
