import { existsSync, rmSync, writeFileSync } from "node:fs";
import { wrangler } from "./build.ts";
import { fillCatalogue } from "./catalogue.ts";
import { openDatabase } from "./in-sqlite.ts";

/** A folder whose database holds that many products, made once and kept for the next run. */
export async function seeded(products: number): Promise<string> {
  const folder = `.bench/products-${products}`;
  const complete = `${folder}/complete`;
  if (!existsSync(complete)) rmSync(folder, { recursive: true, force: true });
  wrangler("d1", "migrations", "apply", "DB", "--local", "--persist-to", folder);
  if (existsSync(complete)) return folder;
  // The file itself: a statement of half a minute outlasts the connections of a database that is being served.
  const database = openDatabase(folder);
  await fillCatalogue(async (sql, ...parameters) => database.prepare(sql).all(...parameters), products);
  database.close();
  writeFileSync(complete, "");
  return folder;
}
