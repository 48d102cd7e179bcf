import { existsSync, globSync, rmSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { wrangler } from "./build.ts";
import { fillCatalogue } from "./catalogue.ts";

/** A folder whose database holds that many products, made once and kept for the next run. */
export async function seeded(products: number): Promise<string> {
  const folder = `.bench/products-${products}`;
  const complete = `${folder}/complete`;
  if (!existsSync(complete)) rmSync(folder, { recursive: true, force: true });
  wrangler("d1", "migrations", "apply", "DB", "--local", "--persist-to", folder);
  if (existsSync(complete)) return folder;
  const database = open(folder);
  await fillCatalogue(async (sql, ...parameters) => database.prepare(sql).all(...parameters), products);
  database.close();
  writeFileSync(complete, "");
  return folder;
}

/** The file itself: a statement of half a minute outlasts the connections of a database that is being served. */
function open(folder: string): DatabaseSync {
  const [path] = globSync(`${folder}/v3/d1/miniflare-D1DatabaseObject/*.sqlite`, {
    exclude: (name) => name.endsWith("metadata.sqlite"),
  });
  if (!path) throw new Error(`There is no database in ${folder}`);
  return new DatabaseSync(path);
}
