import type { Context } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import { beginningOf } from "../domain/text.ts";

const COOKIE = "panel-flash";
const tones = ["success", "warning"] as const;
type Tone = (typeof tones)[number];

/** A message for the next page, with a link to a job if a job did the work. */
export type FlashMessage = { tone: Tone; text: string; job: number | null };

/** Sets a message for the next page, in a cookie, so that no link can make the panel show one. */
export const flash = (c: Context, tone: Tone, text: string, job: number | null = null): void =>
  writeCookie(c, COOKIE, `${tone}:${job ?? ""}:${beginningOf(text, 500)}`, 60);

/** Returns and clears the waiting message. */
export function takeFlash(c: Context): FlashMessage | null {
  const [, named, job, text = ""] = /^(\w+):(\d*):(.*)$/s.exec(readCookie(c, COOKIE) ?? "") ?? [];
  const tone = tones.find((name) => name === named);
  if (tone === undefined) return null;
  dropCookie(c, COOKIE);
  return { tone, text, job: job ? Number(job) : null };
}

/** Post, redirect, get: redirects with a message. */
export function redirectWithFlash(c: Context, path: string, text: string, job?: number): Response {
  flash(c, "success", text, job);
  return c.redirect(path, 303);
}

// The panel's cookies: hidden from scripts, never sent by other sites, and not settable by other hosts.

/** Browsers differ in keeping Secure cookies of a local server on plain HTTP. Everywhere else cookies must be Secure. */
const isLocal = (c: Context): boolean => /^http:\/\/(localhost|127\.0\.0\.1)(:\d+)?\//.test(c.req.url);

export function writeCookie(c: Context, name: string, value: string, maxAge: number): void {
  const options = { httpOnly: true, sameSite: "Strict", path: "/", maxAge } as const;
  setCookie(c, name, value, isLocal(c) ? options : { ...options, secure: true, prefix: "host" });
}

export const readCookie = (c: Context, name: string): string | undefined =>
  isLocal(c) ? getCookie(c, name) : getCookie(c, name, "host");

export const dropCookie = (c: Context, name: string): void => writeCookie(c, name, "", 0);
