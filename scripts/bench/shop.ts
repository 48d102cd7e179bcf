import { cpSync, rmSync } from "node:fs";
import { newSecrets } from "../secrets.ts";
import type { WorkerName } from "./build.ts";
import { openCallers } from "./callers.ts";
import { type Sizes, seeded } from "./seed.ts";
import { type Options, serve } from "./server.ts";

/** Serves Workers on a copy of a seeded database in `folder`. `kept` is the folder that was copied. */
export async function openShop<Name extends WorkerName>(
  names: Name[],
  folder: string,
  sizes: Sizes,
  { variables, ...options }: Options & { variables?: Record<string, string> } = {},
) {
  const kept = await seeded(sizes);
  rmSync(folder, { recursive: true, force: true });
  cpSync(kept, folder, { recursive: true });
  const server = await serve(names, folder, { ...(await newSecrets()), ...variables }, options);
  return { kept, server, callers: await openCallers(server.env) };
}
