import type { Part } from "./parts.ts";

/** A table in a backup. Rows of `parts` whose rowid is not in `present`, or is in `changes`, are outdated. */
export type BackedUpTable = {
  name: string;
  columns: string[];
  /** Number of rows at the moment of the backup. */
  rows: number;
  parts: Part[];
  /** Rows that changed while the table was read in slices. */
  changes: Part[];
  /** Runs of rowids that existed, `[first,last]` a line. Null if the parts hold the table as it was at the moment. */
  present: Part[] | null;
};

/** Lists what a backup consists of. It is written last, so a backup without it is not whole. */
export type Manifest = {
  format: 1;
  id: string;
  /** Time of the transaction whose state the backup holds, in milliseconds since 1970, as all times here. */
  moment: number;
  startedAt: number;
  finishedAt: number;
  /** Job that made the backup. It was running at the moment, so a restore marks it as completed. */
  job: { id: number; done: number };
  /** Names of the migrations applied. */
  migrations: string[];
  /** SHA-256 of the definitions of all tables, indexes, triggers and views. */
  schema: string;
  tables: BackedUpTable[];
  /** Highest id given so far, by table. */
  sequences: Record<string, number>;
  /** Tables and search indexes that a restore rebuilds. */
  derived: readonly string[];
  rows: number;
  bytes: number;
  /** Objects of the bucket FILES: key, size, ETag and time, one a line. Their bytes are under `objects/`. */
  objects: { count: number; bytes: number; parts: Part[] };
  needs: string;
};

export const folderOf = (id: string): string => `backups/${id}/`;
export const manifestKey = (id: string): string => `manifests/${id}.json`;
