import type { ReadObject } from "./source.ts";

type Bucket = { read: ReadObject; dispose: () => Promise<void> };

const open = async (folder: string) => {
  const { getPlatformProxy } = await import("wrangler");
  return getPlatformProxy<Env>({ persist: { path: `${folder}/v3` } });
};

/** The backup bucket in wrangler's local storage. */
export async function localBucket(folder: string): Promise<Bucket> {
  const { env, dispose } = await open(folder);
  const read: ReadObject = async (key) => {
    const object = await env.BACKUPS?.get(key);
    return object ? new Uint8Array(await object.arrayBuffer()) : null;
  };
  return { read, dispose };
}

/** Copies the objects that a local shop lacks. Returns those that are missing from the backup bucket too. */
export async function bringBack(needed: string[], { from, into }: { from: Bucket; into: string }): Promise<string[]> {
  const { env, dispose } = await open(into);
  const missing: string[] = [];
  for (const key of needed) {
    if (await env.FILES.head(key)) continue;
    const bytes = await from.read(`objects/${key}`);
    if (bytes) await env.FILES.put(key, bytes);
    else missing.push(key);
  }
  await dispose();
  return missing;
}
