import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { staleComparisons } from "./database/comparisons.ts";
import { incompatibilities } from "./database/compatibility.ts";
import { difference } from "./database/difference.ts";
import { readGuards } from "./database/guards.ts";
import { BREAKPOINT, FOLDER, migrated, migrationFiles } from "./database/migrations.ts";
import { runnable } from "./database/rebuild.ts";
import { changedReleases } from "./database/released.ts";
import { unfitForRemote } from "./database/remote-form.ts";
import { renamedValues } from "./database/renames.ts";

// `npm run migration -- --name <what changes>` writes the migration from the last one to src/platform/db/schema.ts and
// every guards.sql; `--rename shipped=dispatched` renames a value of an enumeration. With --check it reports whether
// one is missing, changes a released one, or breaks the code of the last release.

const { values: options } = parseArgs({
  options: {
    check: { type: "boolean", default: false },
    name: { type: "string", default: "" },
    rename: { type: "string", multiple: true, default: [] },
  },
});

const stale = staleComparisons();
if (stale.length > 0) fail(stale);

const changed = changedReleases();
if (changed.length > 0) fail(changed);

const guards = readGuards();
const before = migrationFiles();
const unfit = before.flatMap(unfitForRemote);
if (unfit.length > 0) fail(unfit);

const db = migrated(before);

if (options.check) {
  // Loads Drizzle Kit, which takes longer than everything else.
  const { tablesChanged } = await import("./database/snapshot.ts");
  const missing = [
    ...((await tablesChanged())
      ? ["The tables of src/platform/db/schema.ts are not those of the last migration."]
      : []),
    ...difference(db, guards),
  ];
  if (missing.length > 0) fail([...missing, "Run npm run migration -- --name <what changes>"]);
  const breaking = incompatibilities();
  if (breaking.length > 0) fail(breaking);
} else {
  const renames = renamedValues(db, new Map(options.rename.map(readRename)));
  const tables = generate();
  const changes = [...(tables ? [runnable(db, readFileSync(tables, "utf8")).trim()] : []), ...renames];
  db.exec(changes.join("\n"));
  changes.push(...difference(db, guards));
  const file = tables ?? (changes.length > 0 ? generate("--custom") : undefined);
  if (file) writeFileSync(file, `${changes.join(BREAKPOINT)}\n`);
  removeOldSnapshots();
  for (const complaint of incompatibilities()) console.error(complaint);
}

function fail(lines: readonly string[]): never {
  console.error(lines.join("\n"));
  process.exit(1);
}

/** The file of the new migration. Undefined if the tables are unchanged. */
function generate(...more: string[]): string | undefined {
  const named = options.name === "" ? [] : ["--name", options.name];
  const { status } = spawnSync("drizzle-kit", ["generate", ...more, ...named], { stdio: "inherit" });
  if (status !== 0) process.exit(1);
  return migrationFiles()[before.length];
}

function readRename(text: string): [from: string, to: string] {
  const [from = "", to = ""] = text.split("=");
  return [from, to];
}

/** The next migration is generated from the latest snapshot only. */
function removeOldSnapshots(): void {
  const folder = join(FOLDER, "meta");
  const snapshots = readdirSync(folder).filter((file) => file.endsWith("_snapshot.json"));
  for (const file of snapshots.sort().slice(0, -1)) rmSync(join(folder, file));
}
