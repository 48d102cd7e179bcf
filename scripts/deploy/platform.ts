import * as z from "zod";
import type { Deployment } from "./config.ts";
import { rowsOf, unlessMissing, wrangler, wranglerJson } from "./wrangler.ts";

// Reads the platform's state through wrangler.

const WORKER_MISSING = /Worker ".*" not found|\[code: 100(07|90)\]/;
const DATABASE_MISSING = /\[code: 7404\]|Couldn't find .*DB/;
const MIGRATIONS_MISSING = /no such table: d1_migrations/;
const BUCKET_MISSING = /\[code: 10006\]/;

const Secrets = z.array(z.object({ name: z.string() }));
const Shares = z.array(z.object({ version_id: z.string(), percentage: z.number() }));
const Split = z.object({ created_on: z.string(), versions: Shares });
const Version = z
  .object({
    id: z.string(),
    metadata: z.object({ created_on: z.string() }),
    annotations: z.record(z.string(), z.string()).optional(),
    resources: z.object({ script_runtime: z.object({ migration_tag: z.string().optional() }).optional() }).optional(),
  })
  .transform(({ id, metadata, annotations, resources }) => ({
    id,
    createdAt: metadata.created_on,
    tag: annotations?.["workers/tag"] ?? "",
    /** The last Durable Object migration that the version knows. */
    objectsTag: resources?.script_runtime?.migration_tag,
  }));

/** An uploaded version of the Worker. */
export type Version = z.output<typeof Version>;

/** A live version, and its share of requests. */
export type LiveVersion = Version & { percentage: number };

/** Rows of the deployed database. */
export const query = ({ database }: Deployment, sql: string) => rowsOf(database, "--remote", sql);

/** Migrations applied to the deployed database. Null if there is no database. */
export function appliedMigrations(deployment: Deployment): string[] | null {
  const read = () => query(deployment, "SELECT name FROM d1_migrations ORDER BY name").map(({ name }) => String(name));
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

/** Live versions, oldest first: two during a deployment. Empty if the Worker does not exist. */
export function liveVersions(): LiveVersion[] {
  const read = () => Split.parse(wranglerJson("deployments", "status", "--json"));
  const shares = unlessMissing(WORKER_MISSING, read, null)?.versions ?? [];
  return shares
    .map(({ version_id, percentage }) => ({ ...versionOf(version_id), percentage }))
    .sort((one, other) => one.createdAt.localeCompare(other.createdAt));
}

export const versionOf = (id: string): Version => Version.parse(wranglerJson("versions", "view", id, "--json"));

/** The most recent versions, newest first. */
export const recentVersions = (): Version[] =>
  z
    .array(Version)
    .parse(wranglerJson("versions", "list", "--json"))
    .sort((one, other) => other.createdAt.localeCompare(one.createdAt));

/** Ids of versions that were fully live, the most recent first. */
export const servedVersions = (): string[] =>
  z
    .array(Split)
    .parse(wranglerJson("deployments", "list", "--json"))
    .sort((one, other) => other.created_on.localeCompare(one.created_on))
    .flatMap(({ versions }) => (versions.length === 1 ? versions.map(({ version_id }) => version_id) : []));

/** Divides the requests between versions, in percent. */
export function shareRequests(shares: Record<string, number>, message: string): void {
  const specs = Object.entries(shares).map(([id, percent]) => `${id}@${percent}%`);
  wrangler(["versions", "deploy", ...specs, "--yes", "--message", message]);
}
