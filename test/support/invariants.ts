import { env } from "cloudflare:workers";
import { wronglyFolded } from "./folded-words.ts";
import { strayObjects } from "./objects.ts";
import { brokenRules } from "./rules.ts";

/** Violated rules, with the rows that break them. Empty if all is well. */
export async function brokenInvariants(): Promise<Record<string, unknown[]>> {
  const [broken, { lost, missing }, folded] = await Promise.all([
    brokenRules(env.DB),
    strayObjects(env),
    wronglyFolded(),
  ]);
  return {
    ...broken,
    ...(folded.length > 0 && { "a row has the folded words of its texts": folded }),
    ...(lost.length > 0 && { "an object is a file's, or written down to be deleted": lost }),
    ...(missing.length > 0 && { "a file has its object": missing }),
  };
}

/** Total stock that a product ever received: its current stock plus the stock that orders reserved or used. */
export const stockThatCameIn = (productId: number): Promise<number | null> =>
  env.DB.prepare(
    `SELECT stock_quantity + coalesce((SELECT sum(quantity + sent + written_off) FROM stock_allocations WHERE product_id = products.id), 0)
       AS stock FROM products WHERE id = ?`,
  )
    .bind(productId)
    .first<number>("stock");
