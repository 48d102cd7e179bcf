import { type Context, Hono } from "hono";
import { closeSession } from "../../accounts/users/sessions/end.ts";
import type { AppEnv } from "../../platform/auth/app-env.ts";
import { redirectWithFlash } from "../flash.ts";
import { readForm, type SentForm } from "../forms/read-form.ts";
import { countSender, dropSession, readSession, staffOf } from "./session.ts";
import { signInAnd } from "./sign-in.tsx";
import { signInPage } from "./sign-in-page.tsx";

const SIGN_IN = "/admin/sign-in";

/** Sign-in and sign-out: the only routes of the panel that need no session. */
export const session = new Hono<AppEnv>()
  .get("/sign-in", async (c) => {
    const going = await readSession(c);
    if (going && (await staffOf(c.env, going))) return c.redirect(nextPage(c, c.req.query("next")), 303);
    // Links on other sites do not send the Strict cookie even for signed-in users, so the page reloads once.
    if (c.req.header("Sec-Fetch-Site") === "cross-site") c.header("Refresh", "0");
    return signInPage(c, SIGN_IN, { next: c.req.query("next") ?? "" });
  })
  .post("/sign-in", async (c) => {
    const admit = await countSender(c);
    const sent = await readForm(c);
    const waiting = nextOf(sent);
    return signInAnd(c, sent, waiting, admit, () => c.redirect(nextPage(c, waiting.next), 303));
  })
  .post("/sign-out", async (c) => {
    const going = await readSession(c);
    if (going) await closeSession(c.env, c.var.db, going.userId, going.sessionId);
    dropSession(c);
    return redirectWithFlash(c, SIGN_IN, "You are signed out.");
  });

const nextOf = ({ values }: SentForm) => ({ next: values.next?.[0] ?? "" });

const nextPage = (c: Context, asked: string | undefined): string => returnPath(asked, new URL(c.req.url).origin);

/** A page of the panel, as an absolute path. Other addresses could lead anywhere. */
const OURS = /^\/admin(?=[/?]|$)[^\\]*$/;

/** Returns the page to show after signing in: the requested one, or the first. Never another site. */
export function returnPath(asked: string | undefined, origin: string): string {
  const url = OURS.test(asked ?? "") ? URL.parse(asked ?? "", origin) : null;
  if (url === null || !OURS.test(url.pathname)) return "/admin";
  return /^\/admin\/sign-(in|out)$/.test(url.pathname) ? "/admin" : url.pathname + url.search;
}
