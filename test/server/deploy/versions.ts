import { readFileSync } from "node:fs";
import { transform } from "esbuild";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { unstable_getMiniflareWorkerOptions } from "wrangler";
import { modulesIn } from "../../../scripts/bench/build.ts";
import { applyMigrations } from "../../../scripts/database/apply.ts";
import { openDatabase } from "../../../scripts/database/local.ts";
import { newSecrets } from "../../../scripts/secrets.ts";
import { mintApiKey, startOf } from "../../../src/platform/auth/api-keys/format.ts";
import { hashSecret } from "../../../src/platform/auth/secrets.ts";

const VERSIONS = ["old", "new"] as const;
type Name = (typeof VERSIONS)[number];

/** Runs two versions of the Worker built in `dist`, on one database and one set of Durable Objects in this folder. */
export async function openVersions(dist: string, folder: string, percent: number) {
  const database = openDatabase(folder);
  applyMigrations(database);
  database.close();
  const modules = await modulesOf(dist);
  const secrets = await newSecrets();
  const options = (newPercent: number) =>
    convertV4MiniflareOptions({
      handleStructuredLogs: () => {},
      resourcePersistencePath: `${folder}/v3`,
      workers: VERSIONS.map((name) => ({
        ...workerOptions(name, { ...secrets, NEW_PERCENT: String(newPercent) }),
        rootPath: dist,
        modules,
      })),
    });
  const miniflare = new Miniflare(options(percent));
  const { DB } = await miniflare.getBindings<Env>("old");
  const fetchers = { old: await miniflare.getWorker("old"), new: await miniflare.getWorker("new") };
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

/** The modules of the Worker, with versioned-worker.ts as the entry. */
async function modulesOf(dist: string) {
  const { code } = await transform(readFileSync("test/server/deploy/versioned-worker.ts"), { loader: "ts" });
  const entry = { path: `${dist}/versioned.mjs`, contents: code.replaceAll("../../../src/index.ts", "./index.mjs") };
  return [entry, ...modulesIn(dist).map((path) => ({ path }))].map((one) => ({ type: "ESModule" as const, ...one }));
}

function workerOptions(name: Name, bindings: Record<string, string>) {
  const { workerOptions } = unstable_getMiniflareWorkerOptions("wrangler.toml");
  const {
    assets: _assets,
    modulesRules: _rules,
    workflows: _workflows,
    versionMetadata: _version,
    ...options
  } = workerOptions;
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
    bindings: Object.assign({}, options.bindings, bindings, { DEVELOPMENT: "true", VERSION: { id: name } }),
    durableObjects: Object.fromEntries(objects),
  };
}
