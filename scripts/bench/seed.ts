import { existsSync, rmSync, writeFileSync } from "node:fs";
import { wrangler } from "./build.ts";
import { fillCatalogue, type Run } from "./catalogue.ts";
import { openDatabase } from "./in-sqlite.ts";
import { fillOrders } from "./orders.ts";

/** A folder whose database holds that many products and orders, made once and kept for the next run. */
export async function seeded(products: number, orders = 0): Promise<string> {
  const folder = `.bench/products-${products}${orders > 0 ? `-orders-${orders}` : ""}`;
  const complete = `${folder}/complete`;
  if (!existsSync(complete)) rmSync(folder, { recursive: true, force: true });
  wrangler("d1", "migrations", "apply", "DB", "--local", "--persist-to", folder);
  if (existsSync(complete)) return folder;
  // The file itself: a statement of half a minute outlasts the connections of a database that is being served.
  const database = openDatabase(folder);
  const run: Run = async (sql, ...parameters) => database.prepare(sql).all(...parameters);
  await fillCatalogue(run, products);
  if (orders > 0) await fillOrders(run, orders, Date.now());
  database.close();
  writeFileSync(complete, "");
  return folder;
}
