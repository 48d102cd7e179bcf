import { existsSync, rmSync, writeFileSync } from "node:fs";
import { wrangler } from "./build.ts";
import { fillCatalogue } from "./catalogue.ts";
import { serve } from "./server.ts";

/** A folder whose database holds that many products, made once and kept for the next run. */
export async function seeded(products: number): Promise<string> {
  const folder = `.bench/products-${products}`;
  const complete = `${folder}/complete`;
  if (!existsSync(complete)) rmSync(folder, { recursive: true, force: true });
  wrangler("d1", "migrations", "apply", "DB", "--local", "--persist-to", folder);
  if (existsSync(complete)) return folder;
  const { env, stop } = await serve(["shop"], folder, {});
  await fillCatalogue(env.DB, products);
  await stop();
  writeFileSync(complete, "");
  return folder;
}
