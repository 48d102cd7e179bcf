import { env } from "cloudflare:workers";
import { createHash } from "node:crypto";
import { gunzipSync } from "node:zlib";
import { expect } from "vitest";
import { rowsOf } from "../../scripts/restore/rows.ts";
import { runners } from "../../src/apps/job-steps.ts";
import type { Manifest, Part } from "../../src/back-office/backups/manifest.ts";
import type { StoredTable } from "../../src/back-office/backups/stored-tables.ts";
import { runSlice } from "../../src/platform/jobs/run-slice.ts";
import { call } from "./call.ts";

const { BACKUPS } = env;
if (!BACKUPS) throw new Error("wrangler.toml has no bucket for backups");

export const bucket = BACKUPS;

/** Deletes every backup. */
export async function emptyBucket(): Promise<void> {
  for (const { key } of (await bucket.list()).objects) await bucket.delete(key);
}

const cursorOf = async (id: number) =>
  JSON.parse((await env.DB.prepare("SELECT cursor FROM jobs WHERE id = ?").bind(id).first<string>("cursor")) ?? "{}");

/** The stage of a backup job whose next slice has not run. */
export const stageOf = async (id: number): Promise<string> => (await cursorOf(id)).stage;

/** The share of sliced tables that a backup has read, from 0 to 1. */
export async function passedOf(id: number): Promise<number> {
  const walked: { after: number; upTo: number }[] = (await cursorOf(id)).walked;
  return walked.filter(({ after, upTo }) => after >= upTo).length / walked.length;
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
  const all = await env.DB.batch<object>(
    tables.map(({ name, columns }) => {
      const named = columns.map((column) => `"${column}"`);
      return env.DB.prepare(`SELECT rowid AS "rowid of it", ${named} FROM "${name}" ORDER BY rowid`);
    }),
  );
  return Object.fromEntries(
    tables.map(({ name }, at) => [name, (all[at]?.results ?? []).map((row) => Object.values(row))]),
  );
}

export async function expectWhole(manifest: Manifest): Promise<void> {
  const [{ jobs: _, ...stored }, { jobs: __, ...now }] = [
    await contentOf(manifest),
    await databaseNow(manifest.tables),
  ];
  expect(stored).toEqual(now);
}
