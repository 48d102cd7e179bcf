import * as z from "zod";
import type { Deployment } from "./config.ts";
import { unlessMissing, wrangler, wranglerJson } from "./wrangler.ts";

// What the platform has already, read through wrangler.

const WORKER_MISSING = /Worker ".*" not found|\[code: 100(07|90)\]/;
const DATABASE_MISSING = /\[code: 7404\]|Couldn't find .*DB/;
const MIGRATIONS_MISSING = /no such table: d1_migrations/;
const BUCKET_MISSING = /\[code: 10006\]/;

const Rows = z.tuple([z.object({ results: z.array(z.record(z.string(), z.unknown())) })]);
const Secrets = z.array(z.object({ name: z.string() }));
const Status = z.object({ versions: z.array(z.object({ version_id: z.string() })) });
const Version = z.object({ annotations: z.record(z.string(), z.unknown()).optional() });

/** Rows of the deployed database. The statement stands in the list of processes: it holds no secret. */
function query({ database }: Deployment, sql: string) {
  const [{ results }] = Rows.parse(wranglerJson("d1", "execute", database, "--remote", "--json", "--command", sql));
  return results;
}

/** Migrations that the deployed database has; null when there is no database. */
export function appliedMigrations(deployment: Deployment): unknown[] | null {
  const read = () => query(deployment, "SELECT name FROM d1_migrations").map(({ name }) => name);
  return unlessMissing(DATABASE_MISSING, () => unlessMissing(MIGRATIONS_MISSING, read, []), null);
}

/** Whether anybody can sign in to the panel. */
export const hasAdministrator = (deployment: Deployment): boolean =>
  query(deployment, "SELECT id FROM users WHERE role = 'admin' LIMIT 1").length > 0;

export const bucketExists = ({ bucket }: Deployment): boolean =>
  unlessMissing(BUCKET_MISSING, () => wrangler(["r2", "bucket", "info", bucket, "--json"]), null) !== null;

/** Names of the secrets that the Worker has; none while it was never deployed. */
export const secretNames = (): string[] =>
  unlessMissing(WORKER_MISSING, () => Secrets.parse(wranglerJson("secret", "list", "--format", "json")), []).map(
    ({ name }) => name,
  );

/** The version that answers all requests; null when there is none, or several share them. */
export function deployedVersion(): { id: string; tag: unknown } | null {
  const read = () => Status.parse(wranglerJson("deployments", "status", "--json"));
  const [version, ...others] = unlessMissing(WORKER_MISSING, read, null)?.versions ?? [];
  if (!version || others.length > 0) return null;
  const { annotations } = Version.parse(wranglerJson("versions", "view", version.version_id, "--json"));
  return { id: version.version_id, tag: annotations?.["workers/tag"] };
}
