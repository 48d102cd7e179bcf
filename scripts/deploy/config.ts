import { readdirSync } from "node:fs";
import { unstable_readConfig } from "wrangler";

/** The Worker, database and buckets that `wrangler.toml` names. */
export function readDeployment() {
  const config = unstable_readConfig({ config: "wrangler.toml", env: process.env.CLOUDFLARE_ENV ?? "" });
  requireRealPayments(config.vars);
  const [database] = config.d1_databases;
  const buckets: string[] = config.r2_buckets.flatMap(({ bucket_name }: { bucket_name?: string }) => bucket_name ?? []);
  if (
    !config.name ||
    !database?.database_name ||
    !database.migrations_dir ||
    buckets.length < config.r2_buckets.length
  ) {
    throw new Error("wrangler.toml must name the Worker, its database with migrations_dir, and its buckets");
  }
  return {
    worker: config.name,
    database: database.database_name,
    migrations: database.migrations_dir,
    buckets,
    /** Public address of the Worker. Undefined if wrangler.toml does not name it. */
    url:
      typeof config.vars.WORKER_URL === "string" && config.vars.WORKER_URL !== "" ? config.vars.WORKER_URL : undefined,
    /** The bucket for backups, if there is one. */
    backups: config.r2_buckets.find(({ binding }: { binding: string }) => binding === "BACKUPS")?.bucket_name,
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
