import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { difference } from "./database/difference.ts";
import { readGuards } from "./database/guards.ts";
import { BREAKPOINT, FOLDER, migrated, migrationFiles } from "./database/migrations.ts";
import { runnable } from "./database/rebuild.ts";
import { tablesChanged } from "./database/snapshot.ts";

// `npm run migration -- --name <what changes>` writes the migration from the last one to src/db/schema.ts and src/db/guards;
// with --check it says whether one is missing.

const guards = readGuards();
const before = migrationFiles();

if (process.argv.includes("--check")) {
  const missing = [
    ...((await tablesChanged()) ? ["The tables of src/db/schema.ts are not those of the last migration."] : []),
    ...difference(migrated(before), guards),
  ];
  if (missing.length > 0) {
    console.error(`${missing.join("\n")}\nRun npm run migration -- --name <what changes>`);
    process.exit(1);
  }
} else {
  generate();
  let [file] = migrationFiles().slice(before.length);
  if (file) writeFileSync(file, runnable(migrated(before), readFileSync(file, "utf8")));
  const changes = difference(migrated(migrationFiles()), guards);
  if (changes.length > 0 && !file) {
    generate("--custom");
    [file] = migrationFiles().slice(before.length);
    if (file) writeFileSync(file, "");
  }
  if (file && changes.length > 0) {
    const statements = [readFileSync(file, "utf8").trim(), ...changes].filter((statement) => statement !== "");
    writeFileSync(file, `${statements.join(BREAKPOINT)}\n`);
  }
  removeOldSnapshots();
}

function generate(...options: string[]): void {
  const { status } = spawnSync("drizzle-kit", ["generate", ...options, ...process.argv.slice(2)], { stdio: "inherit" });
  if (status !== 0) process.exit(1);
}

/** The next migration is generated from the latest alone. */
function removeOldSnapshots(): void {
  const folder = join(FOLDER, "meta");
  const snapshots = readdirSync(folder).filter((file) => file.endsWith("_snapshot.json"));
  for (const file of snapshots.sort().slice(0, -1)) rmSync(join(folder, file));
}
