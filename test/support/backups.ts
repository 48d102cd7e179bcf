import { env } from "cloudflare:workers";
import { createHash } from "node:crypto";
import { gunzipSync } from "node:zlib";
import { expect } from "vitest";
import { rowsOf } from "../../scripts/restore/rows.ts";
import { runners } from "../../src/apps/job-steps.ts";
import type { Manifest, Part } from "../../src/back-office/backups/manifest.ts";
import type { StoredTable } from "../../src/back-office/backups/tables.ts";
import { runSlice } from "../../src/platform/jobs/run-slice.ts";
import { call } from "./call.ts";

const { BACKUPS } = env;
if (!BACKUPS) throw new Error("wrangler.toml has no bucket for backups");

export const bucket = BACKUPS;

/** Deletes every backup. */
export async function emptyBucket(): Promise<void> {
  for (const { key } of (await bucket.list()).objects) await bucket.delete(key);
}

/** The stage of a backup job whose next slice has not run. */
export async function stageOf(id: number): Promise<string> {
  const cursor = await env.DB.prepare("SELECT cursor FROM jobs WHERE id = ?").bind(id).first<string>("cursor");
  return JSON.parse(cursor ?? "{}").stage;
}

/** Bindings with which even a small database is read in slices. */
export const inSlices = { BACKUP_AT_ONCE_MB: "0" };

export const slice = (id: number, bindings: object = inSlices) => runSlice({ ...env, ...bindings }, runners, id);

export async function newest(as: string): Promise<Manifest> {
  const { backups } = (await call("GET /admin/backups", { as })).body.data;
  return (await call(`GET /admin/backups/${backups[0].id}`, { as })).body.data.manifest;
}

/** The rows of every table in a backup. Checks each part against its hash. */
export async function contentOf({ tables }: Manifest): Promise<Record<string, unknown[]>> {
  const lines = new Map<Part, string[]>();
  for (const part of tables.flatMap(({ parts, changes, present }) => [...parts, ...changes, ...(present ?? [])])) {
    const bytes = new Uint8Array((await (await bucket.get(part.key))?.arrayBuffer()) ?? []);
    expect(createHash("sha256").update(bytes).digest("hex")).toBe(part.sha256);
    lines.set(part, gunzipSync(bytes).toString().trimEnd().split("\n"));
  }
  return Object.fromEntries(
    tables.map((table) => {
      const rows = [...rowsOf(table, (part) => lines.get(part) ?? [])];
      expect([table.name, rows.length]).toEqual([table.name, table.rows]);
      return [table.name, rows.sort(([a], [b]) => a - b)];
    }),
  );
}

/** The current rows of every table. In the backup itself, the backup job is still running. */
export async function databaseNow(tables: StoredTable[]): Promise<Record<string, unknown[]>> {
  const content: Record<string, unknown[]> = {};
  for (const { name, columns } of tables) {
    const { results } = await env.DB.prepare(
      `SELECT rowid AS "rowid of it", ${columns.map((column) => `"${column}"`)} FROM "${name}" ORDER BY rowid`,
    ).all();
    content[name] = results.map((row) => Object.values(row));
  }
  return content;
}

export async function expectWhole(manifest: Manifest): Promise<void> {
  const [{ jobs: _, ...stored }, { jobs: __, ...now }] = [
    await contentOf(manifest),
    await databaseNow(manifest.tables),
  ];
  expect(stored).toEqual(now);
}
