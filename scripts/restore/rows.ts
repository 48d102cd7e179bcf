import type { BackedUpTable, Part } from "../../src/back-office/backups/manifest.ts";

/** A row of a table: its rowid, then its columns. */
export type StoredRow = [rowid: number, ...(string | number | null)[]];

type ReadPart = (part: Part) => Iterable<string>;

/**
 * The rows of a table at the time of the backup. In a table that was read in slices, a row counts if it existed at that
 * time, in the version that was read last.
 */
export function* rowsOf(table: BackedUpTable, read: ReadPart): Generator<StoredRow> {
  const changed = new Set<number>();
  for (const part of table.changes) for (const line of read(part)) changed.add(rowidOf(line));
  const isPresent = presence(table, read);
  for (const part of table.parts) {
    for (const line of read(part)) {
      const id = rowidOf(line);
      if (!changed.has(id) && isPresent(id)) yield JSON.parse(line);
    }
  }
  for (const part of table.changes) for (const line of read(part)) yield JSON.parse(line);
}

const rowidOf = (line: string): number => Number(/^\[(-?\d+)/.exec(line)?.[1]);

/** True if a rowid existed at the time of the backup. Callers ask for rowids in ascending order. */
function presence({ present }: BackedUpTable, read: ReadPart): (id: number) => boolean {
  if (present === null) return () => true;
  const runs = present.flatMap((part) => [...read(part)].map((line): [number, number] => JSON.parse(line)));
  let at = 0;
  return (id) => {
    let run = runs[at];
    while (run && run[1] < id) run = runs[++at];
    return run !== undefined && run[0] <= id;
  };
}
