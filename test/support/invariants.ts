import { env } from "cloudflare:workers";
import { brokenRules } from "./rules.ts";

/** The rules that do not hold here, with the rows that break them; empty when all is well. */
export async function brokenInvariants(): Promise<Record<string, unknown[]>> {
  const { lost, missing } = await strayObjects();
  return {
    ...(await brokenRules(env.DB)),
    ...(lost.length > 0 && { "an object is a file's, or written down to be deleted": lost }),
    ...(missing.length > 0 && { "a file has its object": missing }),
  };
}

/** Objects that nothing knows of, and files whose object is not there. */
async function strayObjects(): Promise<{ lost: string[]; missing: string[] }> {
  const keysOf = async (table: string) => {
    const { results } = await env.DB.prepare(`SELECT r2_key FROM ${table}`).all<{ r2_key: string }>();
    return new Set(results.map(({ r2_key }) => r2_key));
  };
  const stored = await storedKeys();
  const [held, unclaimed] = [await keysOf("files"), await keysOf("unclaimed_objects")];
  return {
    lost: [...stored].filter((key) => !held.has(key) && !unclaimed.has(key)),
    missing: [...held].filter((key) => !stored.has(key)),
  };
}

/** The keys of all objects. */
export async function storedKeys(): Promise<Set<string>> {
  const keys = new Set<string>();
  for (let cursor: string | undefined, more = true; more; ) {
    const page = await env.FILES.list(cursor === undefined ? {} : { cursor });
    for (const { key } of page.objects) keys.add(key);
    more = page.truncated;
    cursor = page.truncated ? page.cursor : undefined;
  }
  return keys;
}

/** Stock that is left plus stock that orders hold or lost: what ever came in of a product. */
export const stockThatCameIn = (productId: number): Promise<number | null> =>
  env.DB.prepare(
    `SELECT stock_quantity + coalesce((SELECT sum(quantity + written_off) FROM stock_allocations WHERE product_id = products.id), 0)
       AS stock FROM products WHERE id = ?`,
  )
    .bind(productId)
    .first<number>("stock");
