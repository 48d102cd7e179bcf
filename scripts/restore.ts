import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { databasePath, STATE } from "./database/local.ts";
import { useEnvironment } from "./deploy/wrangler.ts";
import { buildDatabase } from "./restore/build.ts";
import { CHECKS, failedChecks, ledgersOf, neededObjects } from "./restore/check.ts";
import { importDatabase } from "./restore/import.ts";
import { bringBack, localBucket } from "./restore/objects.ts";
import { type Fetched, fetchBackup } from "./restore/source.ts";

// `npm run restore` builds the database of a backup, checks it, and imports it into an empty database.

const USAGE = `
  npm run restore -- <backup> --into <database> [--env <environment>]
      into an empty D1 database, from the bucket BACKUPS of the environment
  npm run restore -- <backup> --into <folder> --local [--from <folder>]
      into wrangler's local storage in a folder, from that in another (${STATE})

  <backup>            the id of a backup, as the panel lists it
  --copy <folder>     reads the backup from a copy of the bucket instead
  --keep-ids          gives the next event the id after the last: for a shop without receivers of events`;

// The buckets of a local shop are opened without its Worker, and wrangler warns about that.
process.env.WRANGLER_LOG ??= "error";

try {
  await restore();
} catch (error) {
  console.error(`\n  ${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}

async function restore(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      into: { type: "string" },
      env: { type: "string" },
      from: { type: "string", default: STATE },
      copy: { type: "string" },
      local: { type: "boolean", default: false },
      "keep-ids": { type: "boolean", default: false },
    },
  });
  const [id, ...more] = positionals;
  if (!id || !values.into || more.length > 0 || !/^[\d-]+$/.test(id)) throw new Error(USAGE.trim());
  useEnvironment(values.env);
  const target = values.local ? databasePath(values.into) : null;
  if (target && existsSync(target)) throw new Error(`${values.into} has a database. Restore into a new folder.`);
  const work = join(".restore", id);
  const bucket = values.copy
    ? folderBucket(values.copy)
    : values.local
      ? await localBucket(values.from)
      : (await import("./restore/wrangler-bucket.ts")).remoteBucket();
  try {
    const fetched = await fetchBackup(id, { read: bucket.read, folder: work });
    const { manifest } = fetched;
    console.log(
      `\n  Backup ${id}: the shop of ${new Date(manifest.moment).toISOString()}, ${manifest.rows} rows, ${manifest.objects.count} objects`,
    );
    const build = join(work, "build");
    const database = buildDatabase(fetched, { folder: build, keepsIds: values["keep-ids"] });
    const failed = failedChecks(database);
    console.log(
      `  ${CHECKS - failed.length} of ${CHECKS} checks hold${failed.map((text) => `\n  Not so: ${text}`).join("")}`,
    );
    for (const [name, sum] of Object.entries(ledgersOf(database))) console.log(`  ${name.padEnd(16)} ${sum}`);
    const needed = neededObjects(database);
    if (target) {
      database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
      database.close();
      mkdirSync(dirname(target), { recursive: true });
      // A single step: the database appears only when it is complete.
      renameSync(databasePath(build), target);
      tellMissing(await bringBack(needed, { from: bucket, into: resolve(values.into) }));
    } else {
      await importDatabase(database, { name: values.into, backup: id });
      database.close();
      tellMissing(missingFromList(needed, fetched));
    }
    rmSync(build, { recursive: true, force: true });
    console.log(`\n  Restored into ${values.into}.\n`);
    if (failed.length > 0) process.exitCode = 2;
  } finally {
    await bucket.dispose();
  }
}

function folderBucket(folder: string) {
  const read = async (key: string) => (existsSync(join(folder, key)) ? readFileSync(join(folder, key)) : null);
  return { read, dispose: async () => {} };
}

/** Objects that the shop needs and the backup does not list. */
function missingFromList(needed: string[], { manifest, lines }: Fetched): string[] {
  const listed = new Set(manifest.objects.parts.flatMap((part) => [...lines(part)].map((line) => JSON.parse(line)[0])));
  return needed.filter((key) => !listed.has(key));
}

function tellMissing(missing: string[]): void {
  console.log(`  ${missing.length} objects are missing in R2${missing.map((key) => `\n    ${key}`).join("")}`);
}
