import { dropCookie, readCookie, writeCookie } from "./cookies.ts";
import type { ShopContext } from "./env.ts";

const MAX_AGE = 60;

/** A character takes up to nine bytes in a cookie, and browsers store cookies of up to 4,096. */
const LONGEST = 440;

/** Marks the message of a form that was refused. */
const REFUSED = "!";

/** A message for the page that shows the result of a form. */
export type Notice = { words: string; isRefusal: boolean };

/** Redirects to the page that shows the result of a form, with a message. */
export function tell(c: ShopContext, words: string, path: string): Response {
  // A cut through an emoji leaves its first half, which is removed.
  writeCookie(c, "shop-told", words.slice(0, LONGEST).replace(/[\uD800-\uDBFF]$/, ""), MAX_AGE);
  return c.redirect(path, 303);
}

/** Redirects to the page that shows why a form was refused. */
export const tellRefusal = (c: ShopContext, words: string, path: string): Response =>
  tell(c, `${REFUSED}${words}`, path);

/** Returns the message for this page and deletes it. */
export function takeTold(c: ShopContext): Notice | undefined {
  const message = readCookie(c, "shop-told");
  if (message === undefined) return undefined;
  dropCookie(c, "shop-told");
  const isRefusal = message.startsWith(REFUSED);
  return { words: isRefusal ? message.slice(REFUSED.length) : message, isRefusal };
}
