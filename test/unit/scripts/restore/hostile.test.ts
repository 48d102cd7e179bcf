import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import fc from "fast-check";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { buildDatabase } from "../../../../scripts/restore/build.ts";
import { listedObjects } from "../../../../scripts/restore/rows.ts";
import { fetchBackup, pathIn } from "../../../../scripts/restore/source.ts";
import { type Manifest, manifestKey, type Part } from "../../../../src/back-office/backups/manifest.ts";
import { runsOf } from "../../../support/runs.ts";
import { aBackup, ID, linesOf, type Objects, rewrite, SECRET, signed } from "./backup.ts";

// Loads the dump of a migrated database instead of migrating one, which takes five times as long.
vi.mock(import("../../../../scripts/database/apply.ts"), async (original) => {
  const { applyMigrations } = await original();
  const { transaction } = await import("../../../../scripts/database/local.ts");
  const { migrationFiles } = await import("../../../../scripts/database/migrations.ts");
  const { dumpOf, statementsOf } = await import("../../../../scripts/release/dump.ts");
  const every = migrationFiles();
  const migrated = new DatabaseSync(":memory:");
  applyMigrations(migrated);
  const statements = statementsOf(dumpOf(migrated, [])).join(";\n");
  return {
    applyMigrations: (database, files = every) => {
      const isNew = database.prepare("SELECT name FROM sqlite_master LIMIT 1").get() === undefined;
      if (isNew && files.length === every.length) transaction(database, () => database.exec(statements));
      else applyMigrations(database, files);
    },
  };
});

/** Each restores a database. RUNS=2000 tries more of them. */
const RUNS = runsOf(300);

let backup: Awaited<ReturnType<typeof aBackup>>;
/** Contains the folder of the restore, and must not contain anything else. */
let root: string;

beforeAll(async () => {
  backup = await aBackup();
});
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "restore-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** Restores the backup from a bucket, and returns its rows. */
async function restore(objects: Objects, secrets: readonly string[] | null = [SECRET]) {
  const folder = join(root, "inside");
  const read = async (key: string) => objects.get(key) ?? null;
  const fetched = await fetchBackup(ID, { read, folder, secrets });
  listedObjects(fetched.manifest.objects.parts, fetched.lines);
  const database = buildDatabase(fetched, { folder: join(folder, "build"), keepsIds: true });
  const rows = linesOf(database);
  database.close();
  return rows;
}

/** The rows without the backup's own job, which a restore ends. */
const contentOf = (tables: typeof backup.tables) => tables.filter(({ name }) => name !== "jobs");

type Case = { manifest: Manifest; objects: Objects };

/** A copy of the backup, to change. */
const aCopy = (): Case => ({ manifest: structuredClone(backup.manifest), objects: new Map(backup.objects) });

const partsOf = ({ tables, objects }: Manifest): Part[] => [
  ...tables.flatMap(({ parts, changes, present }) => [...parts, ...changes, ...(present ?? [])]),
  ...objects.parts,
];

it("restores the backup as it is", async () => {
  expect(contentOf(await restore(backup.objects))).toEqual(contentOf(backup.tables));
  expect(contentOf(await restore(backup.objects, ["newer secret", SECRET]))).toEqual(contentOf(backup.tables));
});

const HOSTILE = [
  "../evil",
  "../../evil",
  "evil?/../../evil",
  `backups/${ID}/../../evil`,
  "/tmp/restore-evil",
  "a\0b",
  "",
];
const hostile = fc.constantFrom<unknown>(
  ...HOSTILE,
  'x" (y); DROP TABLE users; --',
  -1,
  0,
  1.5,
  2 ** 60,
  null,
  {},
  [],
  true,
);

/** Every place of a value. */
const placesOf = (value: object): { holder: object; name: string }[] =>
  Object.entries(value).flatMap(([name, inner]) => [
    { holder: value, name },
    ...(typeof inner === "object" && inner !== null ? placesOf(inner) : []),
  ]);

/** Changes of a manifest at any place. */
const manifestChange = fc
  .tuple(fc.nat(), fc.oneof(hostile, fc.constant("delete"), fc.constant("repeat")))
  .map(([at, value]) => ({ manifest }: Case) => {
    const places = placesOf(manifest);
    const { holder, name } = places[at % places.length] ?? { holder: manifest, name: "id" };
    if (value === "delete")
      Array.isArray(holder) ? holder.splice(Number(name), 1) : Reflect.deleteProperty(holder, name);
    else if (value === "repeat" && Array.isArray(holder)) holder.push(holder[Number(name)]);
    else Reflect.set(holder, name, value);
  });

/** Changes of a part's bytes that leave the manifest as it is. */
const damage = fc
  .tuple(fc.nat(), fc.nat(), fc.constantFrom("flip", "cut", "empty", "swap", "lose"))
  .map(([which, at, how]) => ({ manifest, objects }: Case) => {
    const parts = partsOf(manifest);
    const { key = "" } = parts[which % parts.length] ?? {};
    const bytes = Buffer.from(objects.get(key) ?? "");
    if (how === "flip") bytes[at % bytes.length] = (bytes[at % bytes.length] ?? 0) ^ (1 << (at % 8));
    const other = objects.get(parts[(which + 1) % parts.length]?.key ?? "") ?? bytes;
    if (how === "lose") objects.delete(key);
    else
      objects.set(
        key,
        { flip: bytes, cut: bytes.subarray(0, at % bytes.length), empty: Buffer.of(), swap: other }[how],
      );
  });

const WRONG_LINES = [
  "",
  "{",
  "[]",
  "null",
  '["1"]',
  "[1]",
  '[1,"a\\u0000b"]',
  "[1.5]",
  "[9007199254740993]",
  '["../evil",1,"e",1]',
];

/** Changes of a part's lines, which the manifest confirms. */
const rewriting = fc
  .tuple(fc.nat(), fc.constantFrom(...WRONG_LINES, "drop", "twice", "nul", "longer", "shorter"))
  .map(([which, how]) => ({ manifest, objects }: Case) => {
    const parts = partsOf(manifest);
    const part = parts[which % parts.length];
    if (!part) return;
    const before = part.bytes;
    rewrite(part, objects, ([first = "", ...others]) => {
      if (how === "drop") return others;
      if (how === "twice") return [first, first, ...others];
      if (how === "nul") return [first.replace(/"(?=[^"]*"[^"]*$)/, '"\\u0000'), ...others];
      if (how === "longer") return [first.replace(/\]$/, ",1]"), ...others];
      if (how === "shorter") return [first.replace(/,[^,]*\]$/, "]"), ...others];
      return [how, ...others];
    });
    if (part !== manifest.objects.parts[0]) manifest.bytes += part.bytes - before;
  });

const changed = (change: (copy: Case) => void, isSigned: boolean): Case => {
  const copy = aCopy();
  change(copy);
  const mac = Reflect.get(JSON.parse(Buffer.from(signed(backup.manifest)).toString()), "mac");
  const text = isSigned ? signed(copy.manifest) : Buffer.from(JSON.stringify({ ...copy.manifest, mac }));
  copy.objects.set(manifestKey(ID), text);
  return copy;
};

/** Two thirds are signed again, as by somebody who knows the secret, so that the checks behind the MAC are reached. */
const cases = fc.oneof(
  { weight: 5, arbitrary: fc.record({ change: fc.oneof(manifestChange, damage), isSigned: fc.constant(false) }) },
  { weight: 6, arbitrary: fc.record({ change: manifestChange, isSigned: fc.constant(true) }) },
  { weight: 2, arbitrary: fc.record({ change: damage, isSigned: fc.constant(true) }) },
  { weight: 2, arbitrary: fc.record({ change: rewriting, isSigned: fc.constant(true) }) },
);

it("never writes outside its folder, or restores anything but the backup, of changed manifests and parts", async () => {
  const ends = { unverified: 0, refused: 0, restored: 0 };
  await fc.assert(
    fc.asyncProperty(cases, async ({ change, isSigned }) => {
      const restored = await restore(changed(change, isSigned).objects).catch((error: Error) => error.message);
      if (typeof restored !== "string") {
        ends.restored++;
        expect(contentOf(restored)).toEqual(contentOf(backup.tables));
      } else if (restored.startsWith("LINK_SECRET does not verify ")) ends.unverified++;
      else {
        ends.refused++;
        expect(restored).toMatch(/^The |^There is no backup /);
      }
      expect(readdirSync(root).filter((name) => name !== "inside")).toEqual([]);
      for (const at of [dirname(root), process.cwd(), dirname(process.cwd())])
        expect(existsSync(join(at, "evil"))).toBe(false);
      expect(existsSync("/tmp/restore-evil")).toBe(false);
      rmSync(join(root, "inside"), { recursive: true, force: true });
    }),
    { numRuns: RUNS },
  );
  expect(ends.refused).toBeGreaterThan(RUNS / 3);
}, 600_000);

const keyed =
  (key: string) =>
  ({ manifest }: Case) => {
    const [part] = manifest.objects.parts;
    if (part) part.key = key;
  };
const tableOf = (manifest: Manifest, name = "users") => manifest.tables.find((table) => table.name === name);

it.each<[string, string, (copy: Case) => void]>([
  ["a key that leads out of its folder", "has the key", keyed("../evil")],
  ["a key that a remote read normalizes", "has the key", keyed("evil?/../../evil")],
  ["a key with a NUL", "has the key", keyed("a\0b")],
  ["a part of another backup", "has the key", keyed("backups/1-1/objects-0-000000000000.ndjson.gz")],
  ["a part twice", "has the key", ({ manifest }) => void manifest.objects.parts.push(...manifest.objects.parts)],
  [
    "an unknown table",
    "unknown table strangers",
    ({ manifest }) =>
      void manifest.tables.push({ name: "strangers", columns: ["id"], rows: 0, parts: [], changes: [], present: null }),
  ],
  [
    "a table twice",
    "the table users twice",
    ({ manifest }) => void manifest.tables.push(...manifest.tables.filter(({ name }) => name === "users")),
  ],
  [
    "a table that it lacks",
    "lacks the table carts",
    ({ manifest }) => {
      manifest.tables = manifest.tables.filter(({ name }) => name !== "carts");
    },
  ],
  ["another column", "other columns in the table users", ({ manifest }) => void tableOf(manifest)?.columns.reverse()],
  ["a column that is a statement", "damaged", ({ manifest }) => void tableOf(manifest)?.columns.push('x") --')],
  [
    "a row twice",
    "refuses the row",
    ({ manifest, objects }) => {
      const [part] = tableOf(manifest, "categories")?.parts ?? [];
      if (!part) return;
      const { bytes } = part;
      rewrite(part, objects, (lines) => [...lines, ...lines.slice(0, 1)]);
      manifest.bytes += part.bytes - bytes;
    },
  ],
  [
    "a text with a NUL",
    "damaged row",
    ({ manifest, objects }) => {
      const [part] = tableOf(manifest, "categories")?.parts ?? [];
      if (!part) return;
      const { bytes } = part;
      rewrite(part, objects, (lines) => lines.map((line) => line.replace("Hats", "Ha\\u0000ts")));
      manifest.bytes += part.bytes - bytes;
    },
  ],
])("refuses a backup with %s even if it is signed", async (_, words, change) => {
  await expect(restore(changed(change, true).objects)).rejects.toThrow(words);
  expect(readdirSync(root).filter((name) => name !== "inside")).toEqual([]);
});

it("refuses a manifest that the shop did not sign, unless asked to restore it unverified", async () => {
  const { manifest, objects } = aCopy();
  objects.set(manifestKey(ID), signed(manifest, "a secret of somebody else"));
  await expect(restore(objects)).rejects.toThrow("LINK_SECRET does not verify the manifest");
  expect(existsSync(join(root, "inside"))).toBe(false);
  expect(contentOf(await restore(objects, null))).toEqual(contentOf(backup.tables));
});

it("keeps what it fetched from everybody else", async () => {
  await restore(backup.objects);
  const files = readdirSync(join(root, "inside"), { recursive: true, withFileTypes: true });
  const parts = files.filter(({ name }) => name.endsWith(".gz") || name.endsWith(".json"));
  expect(parts.length).toBeGreaterThan(5);
  for (const file of parts) expect(statSync(join(file.parentPath, file.name)).mode & 0o077).toBe(0);
});

it("reads no file outside a copy of the bucket", () => {
  expect(() => pathIn(root, "objects/../../evil")).toThrow("leads out of its folder");
  expect(pathIn(root, "objects/files/1")).toBe(join(root, "objects/files/1"));
});

it("fails as a command without writing outside, and leaves files that only their owner can read", () => {
  const copy = join(root, "copy");
  const { manifest, objects } = aCopy();
  // The last check before the database is complete fails.
  objects.set(manifestKey(ID), signed({ ...manifest, job: { ...manifest.job, id: 2 } }));
  for (const [key, bytes] of objects) {
    mkdirSync(dirname(join(copy, key)), { recursive: true });
    writeFileSync(join(copy, key), bytes);
  }
  const args = ["scripts/restore.ts", ID, "--copy", copy, "--local", "--into", join(root, "into")];
  const env = { ...process.env, LINK_SECRET: SECRET };
  const work = join(".restore", ID);
  try {
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { env, encoding: "utf8" });
    expect([status, stdout.includes("Restored"), stderr]).toEqual([
      1,
      false,
      expect.stringContaining("lacks its own job"),
    ]);
    const files = readdirSync(work, { recursive: true, withFileTypes: true });
    expect(files.some(({ name }) => name.endsWith(".sqlite"))).toBe(true);
    for (const file of files) expect(statSync(join(file.parentPath, file.name)).mode & 0o077).toBe(0);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  expect(readdirSync(root)).toEqual(["copy"]);
});
