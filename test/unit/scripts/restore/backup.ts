import type { DatabaseSync } from "node:sqlite";
import { gunzipSync, gzipSync } from "node:zlib";
import { migrated, migrationFiles } from "../../../../scripts/database/migrations.ts";
import { sha256Of } from "../../../../scripts/restore/source.ts";
import {
  folderOf,
  type Manifest,
  macOf,
  manifestKey,
  type Part,
  partKey,
  storePart,
} from "../../../../src/back-office/backups/manifest.ts";
import { FIRST } from "../../../../src/back-office/backups/read-database.ts";
import { lineOf, SCHEMA, STORED_TABLES, selectChanged } from "../../../../src/back-office/backups/stored-tables.ts";

export const SECRET = "a secret of the shop with enough characters";
export const ID = "20261128120000000-1";

/** A bucket in memory. */
export type Objects = Map<string, Uint8Array>;

/** A small shop's database. */
function aShop(): DatabaseSync {
  const database = migrated(migrationFiles());
  database.exec(`
    INSERT INTO jobs (id, kind, parameters, created_by, request_id, created_at, updated_at)
      VALUES (1, 'back_up', '{}', 'system', 'r', 1, 1);
    INSERT INTO users (email, name, role, password_hash, created_at, updated_at) VALUES
      ('a@shop.test', 'A', 'customer', 'x', 1, 1), ('b@shop.test', 'B', 'customer', 'x', 1, 1),
      ('c@shop.test', 'C "of" \\ C', 'customer', 'x', 1, 1);
    INSERT INTO categories (name, slug, created_at, updated_at) VALUES ('Hats', 'hats', 1, 1), ('Coats', 'coats', 1, 1)`);
  return database;
}

/** The rows of all tables of a database, as a backup stores them. */
export const linesOf = (database: DatabaseSync) =>
  database
    .prepare(STORED_TABLES)
    .all()
    .map(({ name, columns }) => {
      const table = { name: String(name), columns: JSON.parse(String(columns)) as string[] };
      const rows = database.prepare(selectChanged(table)).all(FIRST) as Parameters<typeof lineOf>[0][];
      return { ...table, lines: rows.map(lineOf) };
    });

/** A backup of a small shop as the Worker writes it, with a table that was read in slices. */
export async function aBackup(): Promise<{ manifest: Manifest; objects: Objects; tables: ReturnType<typeof linesOf> }> {
  const database = aShop();
  const objects: Objects = new Map();
  const bucket = {
    put: async (key: string, bytes: ArrayBuffer) => void objects.set(key, new Uint8Array(bytes)),
  } as unknown as R2Bucket;
  const store = async (name: string, lines: string[]) =>
    lines.length > 0 ? [await storePart(bucket, `${folderOf(ID)}${name}-0`, lines)] : [];
  const stored = linesOf(database);
  const tables: Manifest["tables"] = [];
  for (const { name, columns, lines } of stored) {
    const isSliced = name === "users";
    tables.push({
      name,
      columns,
      rows: lines.length,
      parts: await store(name, lines),
      changes: isSliced ? await store(`${name}-changes`, lines.slice(1, 2)) : [],
      present: isSliced ? await store(`${name}-present`, [JSON.stringify([1, 2 ** 50])]) : null,
    });
  }
  const listed = [JSON.stringify(["files/1", 1, "etag", 1]), JSON.stringify(["files/2", 1, "etag", 1])];
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  const parts = tables.flatMap((table) => [...table.parts, ...table.changes, ...(table.present ?? [])]);
  const manifest: Manifest = {
    format: 1,
    id: ID,
    moment: 1,
    startedAt: 1,
    finishedAt: 1,
    job: { id: 1, done: rows },
    migrations: migrationFiles().map((file) => file.slice("migrations/".length)),
    schema: sha256Of(JSON.stringify(database.prepare(SCHEMA).all())),
    tables,
    sequences: { users: 3 },
    derived: [],
    rows,
    bytes: parts.reduce((sum, { bytes }) => sum + bytes, 0),
    objects: { count: 2, bytes: 2, parts: await store("objects", listed) },
    needs: "",
  };
  objects.set(manifestKey(ID), signed(manifest));
  return { manifest, objects, tables: stored };
}

/** A manifest as it lies in the bucket. */
export const signed = (manifest: object, secret = SECRET): Uint8Array =>
  Buffer.from(JSON.stringify({ ...manifest, mac: macOf(manifest, secret) }));

/** Changes the lines of a part, with hash and key to match. Returns the part's object. */
export function rewrite(part: Part, objects: Objects, change: (lines: string[]) => string[]): void {
  const lines = change(
    gunzipSync(objects.get(part.key) ?? Buffer.of())
      .toString()
      .trimEnd()
      .split("\n"),
  );
  const bytes = gzipSync(`${lines.join("\n")}\n`);
  const sha256 = sha256Of(bytes);
  const key = partKey(part.key.replace(/-[0-9a-f]{12}\.ndjson\.gz$/, ""), sha256);
  Object.assign(part, { key, sha256, bytes: bytes.length, lines: lines.length });
  objects.set(key, bytes);
}
