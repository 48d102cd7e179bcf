import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { type BackedUpTable, type Manifest, manifestKey, type Part } from "../../src/back-office/backups/manifest.ts";

/** Reads an object of the backup bucket. Null if there is none. */
export type ReadObject = (key: string) => Promise<Uint8Array | null>;

/** A backup whose parts were all read, checked, and stored in a folder. */
export type Fetched = { manifest: Manifest; lines: (part: Part) => Iterable<string> };

/** Fetches a backup into a folder. Undamaged files from an earlier run are not fetched again. */
export async function fetchBackup(
  id: string,
  { read, folder }: { read: ReadObject; folder: string },
): Promise<Fetched> {
  const bytes = await read(manifestKey(id));
  if (!bytes) throw new Error(`There is no backup ${id}, or it was cut off: it has no manifest.`);
  const manifest: Manifest = JSON.parse(Buffer.from(bytes).toString());
  if (manifest.format !== 1)
    throw new Error(`The backup has format ${manifest.format}, which this version does not know.`);
  for (const { part, of } of partsOf(manifest)) await fetchPart(part, { of, read, folder });
  // With the manifest, the folder is a copy of the backup.
  mkdirSync(join(folder, "manifests"), { recursive: true });
  writeFileSync(join(folder, manifestKey(id)), bytes);
  const lines = ({ key }: Part) => linesIn(gunzipSync(readFileSync(join(folder, key))));
  return { manifest, lines };
}

const partsOf = ({ tables, objects }: Manifest): { part: Part; of: string }[] => [
  ...tables.flatMap((table) => partsOfTable(table).map((part) => ({ part, of: `table ${table.name}` }))),
  ...objects.parts.map((part) => ({ part, of: "list of objects" })),
];

const partsOfTable = ({ parts, changes, present }: BackedUpTable): Part[] => [...parts, ...changes, ...(present ?? [])];

async function fetchPart(
  part: Part,
  { of, read, folder }: { of: string; read: ReadObject; folder: string },
): Promise<void> {
  const path = join(folder, part.key);
  if (existsSync(path) && sha256Of(readFileSync(path)) === part.sha256) return;
  const bytes = await read(part.key);
  if (!bytes) throw new Error(`The ${of} lacks its part ${part.key}.`);
  const actual = sha256Of(bytes);
  if (actual !== part.sha256) {
    throw new Error(
      `The ${of} is damaged in its part ${part.key}: its SHA-256 is ${actual} instead of ${part.sha256}.`,
    );
  }
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.new`, bytes);
  renameSync(`${path}.new`, path);
}

export const sha256Of = (bytes: Uint8Array | string): string => createHash("sha256").update(bytes).digest("hex");

function* linesIn(text: Buffer): Generator<string> {
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf(10, from);
    yield text.toString("utf8", from, end);
    from = end + 1;
  }
}
