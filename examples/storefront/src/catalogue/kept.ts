import type { Schema } from "@storefront-worker/api/client";
import { sha256 } from "hono/utils/crypto";
import type { ShopContext } from "../env.ts";

/** Seconds after which a response is read again even if no webhook has reported a change. */
const KEPT_SECONDS = 15 * 60;

const GENERATION = "catalogue";

/**
 * A catalogue response of the API, cached until a webhook reports a change of products. Nothing is cached without
 * webhooks. A response that is read during a change is stored under the previous generation, which nobody reads.
 */
export async function kept<Answer extends object>(
  c: ShopContext,
  name: string,
  ask: () => Promise<Answer & { response: Response }>,
): Promise<Omit<Answer, "response">> {
  const { STORE, WEBHOOK_SECRET } = c.env;
  if (!WEBHOOK_SECRET) return ask();
  // A key has at most 512 bytes, and a search may be longer.
  const key = `${GENERATION}:${await STORE.get(GENERATION)}:${await sha256(name)}`;
  const known = await STORE.get<Omit<Answer, "response">>(key, "json");
  if (known) return known;
  const { response: _, ...answer } = await ask();
  c.executionCtx.waitUntil(STORE.put(key, JSON.stringify(answer), { expirationTtl: KEPT_SECONDS }));
  return answer;
}

/** Starts a new generation. Other regions see it within a minute. */
export const dropCatalogue = ({ env }: ShopContext): Promise<void> => env.STORE.put(GENERATION, crypto.randomUUID());

export async function productOf(c: ShopContext, id: number): Promise<Schema["ProductDetail"]> {
  const { data } = await kept(c, `product:${id}`, () =>
    c.var.shop.GET("/api/v1/user/products/{id}", { params: { path: { id } } }),
  );
  return data;
}

/** A page of the categories: up to a hundred, each before its descendants. */
export const categoriesOf = (
  c: ShopContext,
  page = 1,
): Promise<{ data: Schema["ShopCategory"][]; pagination: Schema["Pagination"] }> =>
  kept(c, `categories?${page}`, () =>
    c.var.shop.GET("/api/v1/user/categories", { params: { query: { page, per_page: 100 } } }),
  );
