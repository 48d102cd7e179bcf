import { type SQL, sql } from "drizzle-orm";
import type { Database } from "../../platform/db/client.ts";
import { places, readReference } from "./places.ts";

/** What people call the things that a page refers to; of what was deleted there is no name. */
export type Names = ReadonlyMap<string, string>;

type Named = { reference: string; name: string | null };

/** The names behind references such as `product:7`, each by its primary key. */
export async function readNames(db: Database, references: Iterable<string | null>): Promise<Names> {
  const wanted = [...new Set(references)].flatMap((reference) => {
    const known = reference === null ? null : readReference(reference);
    return known ? [[reference, known.kind, known.id]] : [];
  });
  if (wanted.length === 0) return new Map();
  const rows = await db.all<Named>(sql`
    SELECT value ->> 0 AS reference, CASE value ->> 1 ${sql.join(namesByKind, sql` `)} END AS name
    FROM json_each(${JSON.stringify(wanted)})`);
  return toNames(rows);
}

export const toNames = (rows: readonly Named[]): Names =>
  new Map(rows.flatMap(({ reference, name }) => (name === null ? [] : [[reference, name]])));

const namesByKind: SQL[] = Object.entries(places).map(([kind, { table, name }]) =>
  sql.raw(`WHEN '${kind}' THEN (SELECT ${name} FROM ${table} WHERE id = value ->> 2)`),
);
