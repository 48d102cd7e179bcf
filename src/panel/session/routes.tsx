import { type Context, Hono } from "hono";
import { createMiddleware } from "hono/factory";
import { type ApiError, unauthorized } from "../../domain/errors.ts";
import { PROMPT_MS } from "../../platform/auth/authenticate.ts";
import type { UserCaller } from "../../platform/auth/caller.ts";
import { type AppEnv, lacksTwoFactor, staff } from "../../platform/auth/gates.ts";
import { readTimeZone } from "../../platform/db/time-zone.ts";
import { redirectWithFlash } from "../flash.ts";
import { isForm, readForm, readTyped, type SentForm } from "../forms/read-form.ts";
import { LinkButton } from "../kit/form.tsx";
import { asksForJson, type PageContext, type PanelEnv, page } from "../page.tsx";
import { TWO_FACTOR } from "../sections.ts";
import { continueSession, countSender, dropSession, readSession, signOut, staffOf } from "./session.ts";
import { reauthenticateAnd, signInAnd } from "./sign-in.tsx";
import {
  REAUTHENTICATES,
  reauthenticationPage,
  savedFormField,
  savedFormIn,
  saveForm,
  signInPage,
} from "./sign-in-page.tsx";
import { renewed } from "./token.ts";

/**
 * Requires a signed-in member of staff and redirects others to the sign-in page. A form sent after the session ended is
 * saved in the sign-in page, which posts to the form's URL and shows it again.
 */
export const requireStaff = createMiddleware<PanelEnv>(async (c, next) => {
  const session = await readSession(c);
  const [sender] = session ? await Promise.all([staffOf(c.env, session), readTimeZone(c.var.db)]) : [null];
  const admit = !sender && c.req.method === "POST" ? await countSender(c) : () => undefined;
  const identifiedAt = Date.now();
  const sent = isForm(c) ? await readForm(c) : null;
  const isLate = Date.now() - identifiedAt >= PROMPT_MS;
  // Otherwise a form could be held open until its session or role ended.
  const caller = session && sender && isLate ? await staffOf(c.env, session) : sender;
  const saved = sent && savedFormIn(sent.values);
  const proceed = (caller: UserCaller) => {
    c.set("identity", caller);
    c.set("caller", caller);
    c.set("savedForm", saved);
    return next();
  };

  if (session && caller) {
    if (lacksTwoFactor(c.var.settings, caller) && !c.req.path.startsWith(TWO_FACTOR))
      return c.redirect(TWO_FACTOR, 303);
    const later = renewed(session, Date.now());
    if (later) await continueSession(c, later);
    if (!saved || sent.values[REAUTHENTICATES] === undefined) return proceed(caller);
    c.set("identity", caller);
    c.set("caller", caller);
    return reauthenticateAnd(c, sent, saved, later ?? session, async (authenticatedAt) => {
      await proceed({ ...caller, authenticatedAt });
      return c.res;
    });
  }
  dropSession(c);
  if (asksForJson(c)) throw unauthorized("unauthorized", "You were signed out. Sign in in another window");
  const typed = saved ?? sent?.values ?? (await readTyped(c));
  if (!typed) return redirectToSignIn(c);

  const form = { [savedFormField]: saveForm(typed) };
  if (!saved) {
    admit();
    c.status(401);
    return signInPage(c, c.req.path, form);
  }
  return signInAnd(c, sent, form, admit, async (session) => {
    const caller = await staffOf(c.env, session);
    if (!caller) return redirectToSignIn(c);
    await proceed(caller);
    return c.res;
  });
});

/** Redirects to the sign-in page, which returns to the requested page. */
function redirectToSignIn(c: PageContext): Response | Promise<Response> {
  if (c.req.method !== "GET" && c.req.method !== "HEAD") return c.notFound();
  const { pathname, search } = new URL(c.req.url);
  const asked = pathname + search;
  return c.redirect(asked === "/admin" ? "/admin/sign-in" : `/admin/sign-in?next=${encodeURIComponent(asked)}`, 303);
}

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
    if (going) await signOut(c, going);
    dropSession(c);
    return redirectWithFlash(c, SIGN_IN, "You are signed out.");
  });

const nextOf = ({ values }: SentForm) => ({ next: values.next?.[0] ?? "" });

const nextPage = (c: Context, asked: string | undefined): string => returnPath(asked, new URL(c.req.url).origin);

/** A page of the panel, as an absolute path. Other addresses could lead anywhere. */
const OURS = /^\/admin(?=[/?]|$)[^\\]*$/;

/** Returns the page to show after signing in: the requested one, or the first. Never another site. */
function returnPath(asked: string | undefined, origin: string): string {
  const url = OURS.test(asked ?? "") ? URL.parse(asked ?? "", origin) : null;
  if (url === null || !OURS.test(url.pathname)) return "/admin";
  return /^\/admin\/sign-(in|out)$/.test(url.pathname) ? "/admin" : url.pathname + url.search;
}

// Downloads are links rather than forms, so the page that asks for the password again saves the link and its page.

const CONFIRMED = "/admin/downloads";

/** The page that asks for the password before a download. Null for any other refusal. */
export function askAheadOfDownload(c: PageContext, error: ApiError): Promise<Response> | null {
  if (error.code !== "reauthentication_required" || c.req.method !== "GET") return null;
  c.status(403);
  const { pathname, search } = new URL(c.req.url);
  const waiting = { file: [pathname + search], page: [pagePath(c, c.req.header("Referer"))] };
  return reauthenticationPage(c, CONFIRMED, waiting);
}

/** The panel page of an address; the first page if it is not the panel's. */
function pagePath(c: PageContext, address: string | undefined): string {
  const { origin } = new URL(c.req.url);
  const url = address === undefined ? null : URL.parse(address);
  return returnPath(url?.origin === origin ? url.pathname + url.search : undefined, origin);
}

/** Starts a download after confirming the password, and returns to its page. */
export const downloadPages = new Hono<PanelEnv>().post("/downloads", staff, async (c) => {
  const { origin } = new URL(c.req.url);
  const [file, back] = [c.var.savedForm?.file?.[0], c.var.savedForm?.page?.[0]].map((path) => returnPath(path, origin));
  if (file === undefined || file === "/admin") return c.redirect("/admin", 303);
  c.header("Refresh", `0; url=${file}`);
  return page(
    c,
    "Download",
    <div class="card narrow">
      <h1>Your download is starting</h1>
      <p class="muted">If nothing happens, use the button.</p>
      <LinkButton href={file} tone="primary">
        Download
      </LinkButton>
      <LinkButton href={back ?? "/admin"}>Back</LinkButton>
    </div>,
  );
});
