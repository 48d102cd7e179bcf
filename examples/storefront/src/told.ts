import { dropCookie, readCookie, writeCookie } from "./cookies.ts";
import type { ShopContext } from "./env.ts";

const MAX_AGE = 60;

/** Answers a form by the page that shows what it did, in the words of the API. */
export function tell(c: ShopContext, words: string, path: string): Response {
  writeCookie(c, "shop-told", words.slice(0, 500), MAX_AGE);
  return c.redirect(path, 303);
}

/** What is to be told, once. */
export function takeTold(c: ShopContext): string | undefined {
  const words = readCookie(c, "shop-told");
  if (words !== undefined) dropCookie(c, "shop-told");
  return words;
}
