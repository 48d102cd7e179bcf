import type { Schema } from "@storefront-worker/api/client";
import type { ShopContext } from "../env.ts";

type Pages = Schema["ShopPageSummary"][];

/** Milliseconds after which an isolate reads the list again. */
const KEPT_MS = 60_000;

let known: { at: number; pages: Pages } = { at: 0, pages: [] };

/** The shop's terms, privacy policy and other pages, which every page links to. The last known ones while the API fails. */
export async function pagesOf(c: ShopContext): Promise<Pages> {
  if (Date.now() - known.at < KEPT_MS) return known.pages;
  try {
    const { data } = await c.var.shop.GET("/api/v1/user/pages");
    known = { at: Date.now(), pages: data };
  } catch (error) {
    console.error(error);
  }
  return known.pages;
}
