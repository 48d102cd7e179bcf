import { existsSync, rmSync, writeFileSync } from "node:fs";
import { applyMigrations } from "../database/apply.ts";
import { openDatabase } from "../database/local.ts";
import { fillCatalogue, type Run } from "./catalogue.ts";
import { fillOrders } from "./orders.ts";

export type Sizes = { products: number; variants?: number; orders?: number };

/**
 * A folder whose database contains this many products, variants of each, and orders. Created once and reused by later
 * runs.
 */
export async function seeded({ products, variants = 0, orders = 0 }: Sizes): Promise<string> {
  const folder = `.bench/products-${products}-variants-${variants}-orders-${orders}`;
  const complete = `${folder}/complete`;
  if (!existsSync(complete)) rmSync(folder, { recursive: true, force: true });
  const database = openDatabase(folder);
  applyMigrations(database);
  if (!existsSync(complete)) {
    // An interrupted load loses nothing: it starts again.
    database.exec(
      "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -1000000; PRAGMA temp_store = MEMORY",
    );
    const run: Run = async (sql, ...parameters) => database.prepare(sql).all(...parameters);
    await fillCatalogue(run, products, variants);
    if (orders > 0) await fillOrders(run, orders, Date.now());
    database.exec("PRAGMA journal_mode = WAL");
    writeFileSync(complete, "");
  }
  database.close();
  return folder;
}
