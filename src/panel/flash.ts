import type { Context } from "hono";
import { dropCookie, readCookie, writeCookie } from "./session/cookie.ts";

const COOKIE = "panel-flash";
const tones = ["success", "warning"] as const;
type Tone = (typeof tones)[number];

/** What a write did, told by the next page. In a cookie, so that no link can put words into the panel's mouth. */
export const flash = (c: Context, tone: Tone, text: string): void =>
  writeCookie(c, COOKIE, `${tone}:${text.slice(0, 500)}`, 60);

/** The message that waits, which is told once. */
export function takeFlash(c: Context): { tone: Tone; text: string } | null {
  const stored = readCookie(c, COOKIE);
  const tone = tones.find((name) => stored?.startsWith(`${name}:`));
  if (stored === undefined || tone === undefined) return null;
  dropCookie(c, COOKIE);
  return { tone, text: stored.slice(tone.length + 1) };
}

/** Post, redirect, get: the answer to a form that did its work is the page that shows it. */
export function done(c: Context, path: string, text: string): Response {
  flash(c, "success", text);
  return c.redirect(path, 303);
}
