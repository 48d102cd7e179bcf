import { readdirSync } from "node:fs";
import * as z from "zod";
import { readToml } from "./toml.ts";

const Settings = z.object({
  name: z.string().optional(),
  vars: z.record(z.string(), z.unknown()).default({}),
  d1_databases: z
    .array(z.object({ database_name: z.string().optional(), migrations_dir: z.string().optional() }))
    .default([]),
  r2_buckets: z.array(z.object({ binding: z.string(), bucket_name: z.string().optional() })).default([]),
});
const Config = Settings.extend({ env: z.record(z.string(), Settings).default({}) });

/**
 * The settings of the chosen environment. It inherits no variable and no binding, and is named after the Worker unless it
 * has a name: https://developers.cloudflare.com/workers/wrangler/environments/
 */
function readSettings(): z.output<typeof Settings> {
  const { env, ...above } = Config.parse(readToml());
  const chosen = process.env.CLOUDFLARE_ENV;
  if (!chosen) return above;
  const own = env[chosen] ?? Settings.parse({});
  return { ...own, name: own.name ?? (above.name && `${above.name}-${chosen}`) };
}

/** The Worker, database and buckets that `wrangler.toml` names. */
export function readDeployment() {
  const { name, vars, d1_databases: databases, r2_buckets: bound } = readSettings();
  requireRealPayments(vars);
  const [database] = databases;
  const buckets = bound.flatMap(({ bucket_name }) => bucket_name ?? []);
  if (!name || !database?.database_name || !database.migrations_dir || buckets.length < bound.length) {
    throw new Error("wrangler.toml must name the Worker, its database with migrations_dir, and its buckets");
  }
  return {
    worker: name,
    database: database.database_name,
    migrations: database.migrations_dir,
    buckets,
    /** Public address of the Worker. Undefined if wrangler.toml does not name it. */
    url: typeof vars.WORKER_URL === "string" && vars.WORKER_URL !== "" ? vars.WORKER_URL : undefined,
    /** The bucket for backups, if there is one. */
    backups: bound.find(({ binding }) => binding === "BACKUPS")?.bucket_name,
  };
}
export type Deployment = ReturnType<typeof readDeployment>;

/** Refuses to deploy test payments unless the shop is declared as a staging one and has a page to pay on. */
function requireRealPayments({ TEST_PAYMENTS, STAGING, WORKER_URL }: Record<string, unknown>): void {
  if (TEST_PAYMENTS !== "true") return;
  if (STAGING === "true" && WORKER_URL !== "") return;
  if (STAGING === "true") {
    throw new Error("TEST_PAYMENTS needs WORKER_URL in wrangler.toml: buyers pay test orders on a page below it.");
  }
  throw new Error(
    'TEST_PAYMENTS is "true" in wrangler.toml: buyers would get goods without paying. Set it to "false", or set STAGING to "true" ' +
      "for a shop in which nobody really buys.",
  );
}

/** Names of all migrations, in order. */
export const migrationsOf = ({ migrations }: Deployment): string[] =>
  readdirSync(migrations)
    .filter((file) => file.endsWith(".sql"))
    .sort();
