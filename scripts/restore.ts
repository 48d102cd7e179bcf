import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { parseArgs, parseEnv } from "node:util";
import { databasePath, STATE } from "./database/local.ts";
import { useEnvironment } from "./deploy/wrangler.ts";
import { DEV_VARS } from "./local.ts";
import { buildDatabase } from "./restore/build.ts";
import { CHECKS, failedChecks, ledgersOf, neededObjects } from "./restore/check.ts";
import { importDatabase } from "./restore/import.ts";
import type { Verification } from "./restore/manifest.ts";
import { bringBack, localBucket } from "./restore/objects.ts";
import { listedObjects } from "./restore/rows.ts";
import { fetchBackup, pathIn } from "./restore/source.ts";

// `npm run restore` builds the database of a backup, checks it, and imports it into an empty database.

const USAGE = `
  npm run restore -- <backup> --into <database> [--env <environment>]
      into an empty D1 database, from the bucket BACKUPS of the environment
  npm run restore -- <backup> --into <folder> --local [--from <folder>]
      into wrangler's local storage in a folder, from that in another (${STATE})

  <backup>            the id of a backup, as the panel lists it
  --copy <folder>     reads the backup from a copy of the bucket instead
  --keep-ids          gives the next event the id after the last: for a shop without receivers of events
  --unverified        restores a backup that LINK_SECRET cannot verify: whoever can write to the bucket may have changed it

  LINK_SECRET in the environment is the secret of the shop that made the backup. With --local, ${DEV_VARS} may have it.`;

// The buckets of a local shop are opened without its Worker, and wrangler warns about that.
process.env.WRANGLER_LOG ??= "error";

// Every file has data of all customers, also those that SQLite and wrangler write.
process.umask(0o077);

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
      unverified: { type: "boolean", default: false },
    },
  });
  const [id, ...more] = positionals;
  if (!id || !values.into || more.length > 0 || !/^[\d-]+$/.test(id)) throw new Error(USAGE.trim());
  useEnvironment(values.env);
  const target = values.local ? databasePath(values.into) : null;
  if (target && existsSync(target)) throw new Error(`${values.into} has a database. Restore into a new folder.`);
  const secrets = values.unverified ? null : linkSecrets(values.local);
  const work = join(".restore", id);
  const bucket = values.copy
    ? folderBucket(values.copy)
    : values.local
      ? await localBucket(values.from)
      : (await import("./restore/wrangler-bucket.ts")).remoteBucket();
  try {
    const fetched = await fetchBackup(id, { read: bucket.read, folder: work, secrets });
    const { manifest } = fetched;
    const listed = listedObjects(manifest.objects.parts, fetched.lines);
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
      tellMissing(needed.filter((key) => !listed.has(key)));
    }
    rmSync(build, { recursive: true, force: true });
    console.log(
      `\n  Restored into ${values.into}. Delete ${work} once you no longer need it: it has the data of all customers.\n`,
    );
    if (failed.length > 0) process.exitCode = 2;
  } finally {
    await bucket.dispose();
  }
}

function folderBucket(folder: string) {
  const read = async (key: string) => {
    const path = pathIn(folder, key);
    return existsSync(path) ? readFileSync(path) : null;
  };
  return { read, dispose: async () => {} };
}

function linkSecrets(isLocal: boolean): Verification {
  const stored = isLocal && existsSync(DEV_VARS) ? parseEnv(readFileSync(DEV_VARS, "utf8")).LINK_SECRET : undefined;
  const list = process.env.LINK_SECRET ?? stored;
  if (!list)
    throw new Error("Set LINK_SECRET to the secret of the shop, which verifies its backups. See --unverified.");
  return list.split(",").map((secret) => secret.trim());
}

function tellMissing(missing: string[]): void {
  console.log(
    `  ${missing.length} objects are missing in R2${missing.map((key) => `\n    ${JSON.stringify(key)}`).join("")}`,
  );
}
