import { newSecrets } from "../secrets.ts";
import { buildTag } from "./build.ts";
import { type Deployment, migrationsOf } from "./config.ts";
import { type LiveVersion, secretNames } from "./platform.ts";
import { currentRelease, toVersionTag } from "./version-tag.ts";
import { unlessMissing, withFile, wrangler } from "./wrangler.ts";

const PENDING_OBJECTS_MIGRATION = /pending Durable Object migration/;

/** Required secrets that the Worker lacks. An existing secret is never replaced. */
async function missingSecrets(): Promise<string[]> {
  const set = secretNames();
  return Object.keys(await newSecrets()).filter((name) => !set.includes(name));
}

/** An upload: the code by its tag, and the names of new secrets. */
export type Upload = { tag: string; secrets: string[] };

/** Names the deployed content in the tag of its version. */
export const tagOf = (deployment: Deployment): string =>
  toVersionTag({ build: buildTag(), migrations: migrationsOf(deployment).length, release: currentRelease() });

/** Uploads nothing if the newest live version is this code with all its secrets. */
export async function planUpload(tag: string, live: readonly LiveVersion[]): Promise<Upload | null> {
  const secrets = await missingSecrets();
  return secrets.length === 0 && live.at(-1)?.tag === tag ? null : { tag, secrets };
}

/** A version after its upload, and the Worker's addresses if wrangler named them. */
export type UploadedVersion = { versionId: string; addresses: string[] };

/** Uploads a version that answers all requests at once. */
export const deployWorker = (upload: Upload): Promise<UploadedVersion> => withSecrets(upload, ["deploy"]);

/**
 * Uploads a version that answers no requests yet. Returns null if it migrates Durable Objects, which the platform only
 * allows with all requests at once.
 */
export const uploadVersion = (upload: Upload): Promise<UploadedVersion | null> =>
  withSecrets(upload, ["versions", "upload"]).catch((error) =>
    unlessMissing(
      PENDING_OBJECTS_MIGRATION,
      () => {
        throw error;
      },
      null,
    ),
  );

/** Uploads the code with values for new secrets, which pass through a file. */
async function withSecrets({ tag, secrets }: Upload, command: string[]): Promise<UploadedVersion> {
  const values = Object.entries(await newSecrets()).filter(([name]) => secrets.includes(name));
  const names = ["--tag", tag, "--message", `Release ${currentRelease()}`];
  const output = withFile("secrets.json", JSON.stringify(Object.fromEntries(values)), (file) =>
    wrangler([...command, ...names, ...(secrets.length > 0 ? ["--secrets-file", file] : [])]),
  );
  return { versionId: /Version ID: (\S+)/.exec(output)?.[1] ?? "", addresses: addressesIn(output) };
}

/**
 * Sets the routes and schedule of wrangler.toml, which an interrupted deployment may have missed, and returns the
 * addresses.
 */
export const deployTriggers = (): string[] => addressesIn(wrangler(["triggers", "deploy"]));

/** wrangler prints each address on its own line. */
const addressesIn = (output: string): string[] => output.match(/^ *https:\/\/\S+$/gm)?.map((line) => line.trim()) ?? [];
