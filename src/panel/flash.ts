import type { Context } from "hono";
import { beginningOf } from "../domain/countries.ts";
import { dropCookie, readCookie, writeCookie } from "./session/cookie.ts";

const COOKIE = "panel-flash";
const tones = ["success", "warning"] as const;
type Tone = (typeof tones)[number];

/** A message that the next page shows. In a cookie, so that no link can make the panel show a message. */
export const flash = (c: Context, tone: Tone, text: string): void =>
  writeCookie(c, COOKIE, `${tone}:${beginningOf(text, 500)}`, 60);

/** The waiting message, which is shown once. */
export function takeFlash(c: Context): { tone: Tone; text: string } | null {
  const stored = readCookie(c, COOKIE);
  const tone = tones.find((name) => stored?.startsWith(`${name}:`));
  if (stored === undefined || tone === undefined) return null;
  dropCookie(c, COOKIE);
  return { tone, text: stored.slice(tone.length + 1) };
}

/** Post, redirect, get: redirects to the page that shows what the form did. */
export function redirectWithFlash(c: Context, path: string, text: string): Response {
  flash(c, "success", text);
  return c.redirect(path, 303);
}
