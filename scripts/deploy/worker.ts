import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { newSecrets } from "../secrets.ts";
import { buildTag } from "./build.ts";
import { deployedVersion, secretNames } from "./platform.ts";
import { wrangler } from "./wrangler.ts";

/** Required secrets that the Worker lacks. An existing secret is never replaced. */
async function missingSecrets(): Promise<string[]> {
  const set = secretNames();
  return Object.keys(await newSecrets()).filter((name) => !set.includes(name));
}

/** An upload: the code by its tag, and the names of new secrets. */
export type Upload = { tag: string; secrets: string[] };

/** The live version after a deployment and the Worker's addresses. */
export type Live = { versionId: string | undefined; addresses: string[] };

/** Nothing is uploaded if this code already runs with all its secrets, as the named version. */
export type UploadPlan = { upload: Upload; versionId?: never } | { upload: null; versionId: string };

export async function planUpload(): Promise<UploadPlan> {
  const upload = { tag: buildTag(), secrets: await missingSecrets() };
  const running = upload.secrets.length === 0 ? deployedVersion() : null;
  return running?.tag === upload.tag ? { upload: null, versionId: running.id } : { upload };
}

/** Uploads the code and values for new secrets as one version. Secrets pass through a file that only this user can read. */
export async function deployWorker({ tag, secrets }: Upload): Promise<Live> {
  const folder = mkdtempSync(join(tmpdir(), "storefront-deploy-"));
  const file = join(folder, "secrets.json");
  // An interrupt ends wrangler too, and the file must still be deleted.
  const wait = () => {};
  process.on("SIGINT", wait).on("SIGTERM", wait);
  try {
    const values = Object.entries(await newSecrets()).filter(([name]) => secrets.includes(name));
    writeFileSync(file, JSON.stringify(Object.fromEntries(values)), { mode: 0o600 });
    const output = wrangler(["deploy", "--tag", tag, ...(secrets.length > 0 ? ["--secrets-file", file] : [])]);
    return { versionId: /Version ID: (\S+)/.exec(output)?.[1], addresses: addressesIn(output) };
  } finally {
    rmSync(folder, { recursive: true });
    process.off("SIGINT", wait).off("SIGTERM", wait);
  }
}

/** Sets the routes and schedule of wrangler.toml, which an interrupted deployment may lack, and returns the addresses. */
export const deployTriggers = (): string[] => addressesIn(wrangler(["triggers", "deploy"]));

/** wrangler prints each address on its own line. */
const addressesIn = (output: string): string[] => output.match(/^ *https:\/\/\S+$/gm)?.map((line) => line.trim()) ?? [];
