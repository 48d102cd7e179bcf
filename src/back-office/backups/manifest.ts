import { createHmac, hkdfSync } from "node:crypto";
import { encode as toHex } from "@stablelib/hex";

/** A table in a backup. Rows of `parts` whose rowid is not in `present`, or is in `changes`, are outdated. */
export type BackedUpTable = {
  name: string;
  columns: string[];
  /** Number of rows at the time of the backup. */
  rows: number;
  parts: Part[];
  /** Rows that changed while the table was read in slices. */
  changes: Part[];
  /**
   * Ranges of existing rowids, one `[first,last]` per line. Null if the parts contain the table as of the backup's
   * time.
   */
  present: Part[] | null;
};

/** The contents of a backup. It is written last, so a backup without it is incomplete. */
export type Manifest = {
  format: 1;
  id: string;
  /** Time of the transaction that the backup represents. All times here are in milliseconds since 1970. */
  moment: number;
  startedAt: number;
  finishedAt: number;
  /** Job that made the backup. It was running at the time, so a restore marks it as completed. */
  job: { id: number; done: number };
  /** Names of the migrations applied. */
  migrations: string[];
  /** SHA-256 of the definitions of all tables, indexes, triggers and views. */
  schema: string;
  tables: BackedUpTable[];
  /** Highest id assigned so far, by table. */
  sequences: Record<string, number>;
  /** Tables and search indexes that a restore rebuilds. */
  derived: readonly string[];
  rows: number;
  bytes: number;
  /** Objects of the bucket FILES, one per line: key, size, ETag and time. Their bytes are under `objects/`. */
  objects: { count: number; bytes: number; parts: Part[] };
  needs: string;
};

/**
 * HMAC-SHA256 of a manifest under a key derived from LINK_SECRET, in hex. It also covers the parts, whose hashes the manifest
 * contains. A restore verifies it, because others may be able to write to the bucket.
 */
export const macOf = (manifest: object, secret: string): string =>
  createHmac("sha256", Buffer.from(hkdfSync("sha256", secret, "", "manifest of a backup", 32)))
    .update(JSON.stringify(manifest))
    .digest("hex");

export const folderOf = (id: string): string => `backups/${id}/`;
export const manifestKey = (id: string): string => `manifests/${id}.json`;

/** A file of a backup: gzip, with one JSON value per line. */
export type Part = { key: string; sha256: string; bytes: number; lines: number };

/** Maximum characters of a part before compression. A longer line is a part of its own. */
const PART_CHARACTERS = 8_000_000;

/** Parts uploaded at the same time. */
const AT_ONCE = 6;

/** Divides lines into parts small enough to be held in memory twice. */
export function divide(lines: string[]): string[][] {
  const parts: string[][] = [];
  let [part, characters]: [string[], number] = [[], 0];
  for (const line of lines) {
    if (part.length > 0 && characters + line.length > PART_CHARACTERS) {
      parts.push(part);
      [part, characters] = [[], 0];
    }
    part.push(line);
    characters += line.length;
  }
  return part.length > 0 ? [...parts, part] : parts;
}

/** The key of a part ends with its hash, so that a delayed upload of a repeated slice cannot replace the listed part. */
export const partKey = (name: string, sha256: string): string => `${name}-${sha256.slice(0, 12)}.ndjson.gz`;

export async function storePart(bucket: R2Bucket, name: string, lines: string[]): Promise<Part> {
  const gzip = new Blob([`${lines.join("\n")}\n`]).stream().pipeThrough(new CompressionStream("gzip"));
  const bytes = await new Response(gzip).arrayBuffer();
  const sha256 = toHex(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)), true);
  const key = partKey(name, sha256);
  await bucket.put(key, bytes, { sha256 });
  return { key, sha256, bytes: bytes.byteLength, lines: lines.length };
}

/** Runs `work` on each item, a few at the same time, and returns the results in order. */
export async function inTurns<Item, Result>(items: Item[], work: (item: Item) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  for (let from = 0; from < items.length; from += AT_ONCE) {
    results.push(...(await Promise.all(items.slice(from, from + AT_ONCE).map(work))));
  }
  return results;
}
