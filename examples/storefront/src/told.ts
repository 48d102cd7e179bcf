import { dropCookie, readCookie, writeCookie } from "./cookies.ts";
import type { ShopContext } from "./env.ts";

const MAX_AGE = 60;

/** Redirects to the page that shows the result of a form, with a message. */
export function tell(c: ShopContext, words: string, path: string): Response {
  writeCookie(c, "shop-told", words.slice(0, 500), MAX_AGE);
  return c.redirect(path, 303);
}

/** Returns the message for this page and deletes it. */
export function takeTold(c: ShopContext): string | undefined {
  const words = readCookie(c, "shop-told");
  if (words !== undefined) dropCookie(c, "shop-told");
  return words;
}
