import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { convertV4MiniflareOptions, Miniflare, type V4WorkerOptions } from "miniflare";
import { unstable_getMiniflareWorkerOptions } from "wrangler";
import { bundle } from "../../../scripts/build/bundle.ts";
import { migrationFiles } from "../../../scripts/database/migrations.ts";
import { newSecrets } from "../../../scripts/secrets.ts";
import { mintApiKey, startOf } from "../../../src/platform/auth/api-keys/format.ts";
import { hashSecret } from "../../../src/platform/auth/secrets.ts";

const VERSIONS = ["old", "new"] as const;
type Name = (typeof VERSIONS)[number];

/** Runs two versions of the Worker in this folder, on one database and one set of Durable Objects. */
export async function openVersions(folder: string, percent: number) {
  const outdir = join(folder, "build");
  await bundle("test/server/deploy/versioned-worker.ts", outdir);
  const secrets = await newSecrets();
  const options = (newPercent: number) =>
    convertV4MiniflareOptions({
      handleStructuredLogs: () => {},
      resourcePersistencePath: join(folder, "state"),
      workers: VERSIONS.map((name) => workerOptions(name, outdir, { ...secrets, NEW_PERCENT: String(newPercent) })),
    });
  const miniflare = new Miniflare(options(percent));
  const { DB } = await miniflare.getBindings<Env>("old");
  const fetchers = { old: await miniflare.getWorker("old"), new: await miniflare.getWorker("new") };
  for (const file of migrationFiles()) {
    const statements = readFileSync(file, "utf8").split("--> statement-breakpoint");
    await DB.batch(statements.map((statement) => DB.prepare(statement)));
  }
  return {
    /** A request to one version, from a region. */
    send: async (version: Name, path: string, init: { headers: Record<string, string>; cf: object }) => {
      const { status } = await fetchers[version].fetch(`http://shop.test${path}`, init as never);
      return status;
    },
    /** Gives the new version another share of the objects. All of them restart. */
    share: async (newPercent: number) => {
      await miniflare.setOptions(options(newPercent));
      for (const name of VERSIONS) fetchers[name] = await miniflare.getWorker(name);
    },
    /** Stores a new key with the standard limit. */
    newKey: async () => {
      const key = mintApiKey([secrets.API_KEY_SECRET]);
      const insert = DB.prepare(
        `INSERT INTO api_keys (name, start, hash, permissions, tier, created_at, updated_at)
          VALUES ('Key', ?1, ?2, '["read"]', 'standard', ?3, ?3)`,
      );
      await insert.bind(startOf(key), hashSecret(key), Date.now()).run();
      return key;
    },
    close: () => miniflare.dispose(),
  };
}

function workerOptions(name: Name, outdir: string, bindings: Record<string, string>): V4WorkerOptions {
  const { workerOptions } = unstable_getMiniflareWorkerOptions("wrangler.toml");
  const {
    assets: _assets,
    modulesRules: _rules,
    workflows: _workflows,
    versionMetadata: _version,
    ...options
  } = workerOptions;
  const others = readdirSync(outdir).filter((file) => file.endsWith(".mjs") && file !== "index.mjs");
  const objects = Object.entries(options.durableObjects ?? {}).flatMap(([namespace, value]) => {
    const { className } = value as { className: string };
    return VERSIONS.map((version) => [
      `${namespace}_${version}`,
      { className, scriptName: version, useSQLite: true, unsafeUniqueKey: className },
    ]);
  });
  return {
    ...options,
    name,
    rootPath: outdir,
    bindings: Object.assign({}, options.bindings, bindings, { DEVELOPMENT: "true", VERSION: { id: name } }),
    durableObjects: Object.fromEntries(objects),
    modules: ["index.mjs", ...others].map((file) => ({ type: "ESModule", path: join(outdir, file) })),
  };
}
