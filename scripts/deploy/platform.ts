import * as z from "zod";
import type { Deployment } from "./config.ts";
import { unlessMissing, wrangler, wranglerJson } from "./wrangler.ts";

// Reads the platform's state through wrangler.

const WORKER_MISSING = /Worker ".*" not found|\[code: 100(07|90)\]/;
const DATABASE_MISSING = /\[code: 7404\]|Couldn't find .*DB/;
const MIGRATIONS_MISSING = /no such table: d1_migrations/;
const BUCKET_MISSING = /\[code: 10006\]/;

const Rows = z.tuple([z.object({ results: z.array(z.record(z.string(), z.unknown())) })]);
const Secrets = z.array(z.object({ name: z.string() }));
const Status = z.object({ versions: z.array(z.object({ version_id: z.string() })) });
const Version = z.object({ annotations: z.record(z.string(), z.unknown()).optional() });

/** Rows of the deployed database. The statement is visible in the process list and holds no secret. */
function query({ database }: Deployment, sql: string) {
  const [{ results }] = Rows.parse(wranglerJson("d1", "execute", database, "--remote", "--json", "--command", sql));
  return results;
}

/** Migrations applied to the deployed database. Null if there is no database. */
export function appliedMigrations(deployment: Deployment): unknown[] | null {
  const read = () => query(deployment, "SELECT name FROM d1_migrations").map(({ name }) => name);
  return unlessMissing(DATABASE_MISSING, () => unlessMissing(MIGRATIONS_MISSING, read, []), null);
}

/** True if anyone can sign in to the panel. */
export const hasAdministrator = (deployment: Deployment): boolean =>
  query(deployment, "SELECT id FROM users WHERE role = 'admin' LIMIT 1").length > 0;

export const bucketExists = (bucket: string): boolean =>
  unlessMissing(BUCKET_MISSING, () => wrangler(["r2", "bucket", "info", bucket, "--json"]), null) !== null;

/** Names of the Worker's secrets. Empty if it was never deployed. */
export const secretNames = (): string[] =>
  unlessMissing(WORKER_MISSING, () => Secrets.parse(wranglerJson("secret", "list", "--format", "json")), []).map(
    ({ name }) => name,
  );

/** The version that serves all requests. Null if there is none or several share them. */
export function deployedVersion(): { id: string; tag: unknown } | null {
  const read = () => Status.parse(wranglerJson("deployments", "status", "--json"));
  const [version, ...others] = unlessMissing(WORKER_MISSING, read, null)?.versions ?? [];
  if (!version || others.length > 0) return null;
  const { annotations } = Version.parse(wranglerJson("versions", "view", version.version_id, "--json"));
  return { id: version.version_id, tag: annotations?.["workers/tag"] };
}
