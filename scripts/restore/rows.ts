import * as z from "zod";
import type { BackedUpTable, Part } from "../../src/back-office/backups/manifest.ts";

/** A row of a table: its rowid, then its columns. */
export type StoredRow = [rowid: number, ...(string | number | null)[]];

type ReadPart = (part: Part) => Iterable<string>;

/**
 * The rows of a table at the time of the backup. In a table that was read in slices, a row counts if it existed at that
 * time, in the version that was read last.
 */
export function* rowsOf(table: BackedUpTable, read: ReadPart): Generator<StoredRow> {
  const parse = rowParser(table);
  const changed = new Set<number>();
  for (const part of table.changes) for (const line of read(part)) changed.add(rowidOf(line));
  const isPresent = presence(table, read);
  for (const part of table.parts) {
    for (const line of read(part)) {
      const id = rowidOf(line);
      if (!changed.has(id) && isPresent(id)) yield parse(line);
    }
  }
  for (const part of table.changes) for (const line of read(part)) yield parse(line);
}

const rowidOf = (line: string): number => Number(/^\[(-?\d+)/.exec(line)?.[1]);

/** SQLite stores a NUL in a text, but D1's import ends the statement at it. */
const Value = z.union([
  z.string().refine((text) => !text.includes("\0")),
  z.number().refine((number) => !Number.isInteger(number) || Number.isSafeInteger(number)),
  z.null(),
]);
const Row = z.tuple([z.int()], Value);
const Run = z.tuple([z.int(), z.int()]);

function rowParser({ name, columns }: BackedUpTable): (line: string) => StoredRow {
  return (line) => {
    const row = parse(Row, line);
    if (row?.length !== columns.length + 1)
      throw new Error(`The table ${name} has a damaged row: ${line.slice(0, 100)}`);
    return row;
  };
}

function parse<Shape>(schema: z.ZodType<Shape>, line: string): Shape | undefined {
  try {
    return schema.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}

/** True if a rowid existed at the time of the backup. Callers ask for rowids in ascending order. */
function presence({ name, present }: BackedUpTable, read: ReadPart): (id: number) => boolean {
  if (present === null) return () => true;
  const runs = present.flatMap((part) =>
    [...read(part)].map((line) => {
      const run = parse(Run, line);
      if (!run) throw new Error(`The table ${name} has a damaged range of rows: ${line.slice(0, 100)}`);
      return run;
    }),
  );
  let at = 0;
  return (id) => {
    let run = runs[at];
    while (run && run[1] < id) run = runs[++at];
    return run !== undefined && run[0] <= id;
  };
}

const Listed = z.tuple([z.string(), z.int(), z.string(), z.int()]);

/** The keys in a backup's list of objects. */
export function listedObjects(parts: Part[], read: ReadPart): Set<string> {
  return new Set(
    parts.flatMap((part) =>
      [...read(part)].map((line) => {
        const [key] = parse(Listed, line) ?? [];
        if (key === undefined) throw new Error(`The list of objects has a damaged line: ${line.slice(0, 100)}`);
        return key;
      }),
    ),
  );
}
