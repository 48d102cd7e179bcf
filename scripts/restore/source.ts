import { createHash } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, resolve, sep } from "node:path";
import { gunzipSync } from "node:zlib";
import { type Manifest, manifestKey, type Part } from "../../src/back-office/backups/manifest.ts";
import { type NamedPart, partsOf, readManifest, type Verification } from "./manifest.ts";

/** Reads an object of the backup bucket. Null if there is none. */
export type ReadObject = (key: string) => Promise<Uint8Array | null>;

/** A backup whose parts were all read, checked, and stored in a folder. */
export type FetchedBackup = { manifest: Manifest; lines: (part: Part) => string[] };

/** Fetches a backup into a folder. Undamaged files from an earlier run are not fetched again. */
export async function fetchBackup(
  id: string,
  { read, folder, secrets }: { read: ReadObject; folder: string; secrets: Verification },
): Promise<FetchedBackup> {
  const bytes = await read(manifestKey(id));
  if (!bytes) throw new Error(`There is no backup ${id}, or it was cut off: it has no manifest.`);
  const manifest = readManifest(bytes, id, secrets);
  for (const named of partsOf(manifest)) await fetchPart(named, { read, folder });
  // With the manifest, the folder is a copy of the backup.
  writePrivate(pathIn(folder, manifestKey(id)), bytes);
  const lines = (part: Part) => linesOf(readFileSync(pathIn(folder, part.key)), part, part.key);
  return { manifest, lines };
}

/** The path of a key in a folder. Throws if the key leads out of it. */
export function pathIn(folder: string, key: string): string {
  const path = resolve(folder, key);
  if (!path.startsWith(`${resolve(folder)}${sep}`))
    throw new Error(`The key ${JSON.stringify(key)} leads out of its folder.`);
  return path;
}

/** Writes a file that only its owner can read, because a backup has the data of all customers. */
function writePrivate(path: string, bytes: Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(`${path}.new`, bytes, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

async function fetchPart(
  { part, of }: NamedPart,
  { read, folder }: { read: ReadObject; folder: string },
): Promise<void> {
  const path = pathIn(folder, part.key);
  if (existsSync(path) && sha256Of(readFileSync(path)) === part.sha256) return chmodSync(path, 0o600);
  const bytes = await read(part.key);
  if (!bytes) throw new Error(`The ${of} lacks its part ${part.key}.`);
  const actual = sha256Of(bytes);
  if (actual !== part.sha256) {
    throw new Error(
      `The ${of} is damaged in its part ${part.key}: its SHA-256 is ${actual} instead of ${part.sha256}.`,
    );
  }
  linesOf(bytes, part, `${part.key} of the ${of}`);
  writePrivate(path, bytes);
}

export const sha256Of = (bytes: Uint8Array | string): string => createHash("sha256").update(bytes).digest("hex");

/** Maximum bytes of an unpacked part: far more than a backup writes, and less than fills the memory. */
const MOST_BYTES = 256_000_000;

function linesOf(bytes: Uint8Array, part: Part, of: string): string[] {
  const lines = unpack(bytes, of).split("\n");
  if (lines.pop() !== "" || lines.length !== part.lines || bytes.length !== part.bytes) {
    throw new Error(`The part ${of} is not as long as the manifest says.`);
  }
  return lines;
}

function unpack(bytes: Uint8Array, of: string): string {
  try {
    const text = gunzipSync(bytes, { maxOutputLength: MOST_BYTES });
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(text);
  } catch (error) {
    throw new Error(`The part ${of} is damaged: ${error instanceof Error ? error.message : error}.`);
  }
}
