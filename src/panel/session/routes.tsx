import { type Context, Hono } from "hono";
import type { ApiError } from "../../domain/errors.ts";
import type { AppEnv } from "../../platform/auth/app-env.ts";
import { staff } from "../../platform/auth/gates.ts";
import type { PageContext, PanelEnv } from "../env.ts";
import { redirectWithFlash } from "../flash.ts";
import { readForm, type SentForm } from "../forms/read-form.ts";
import { LinkButton } from "../kit/buttons.tsx";
import { page } from "../page.tsx";
import { countSender, dropSession, readSession, signOut, staffOf } from "./session.ts";
import { signInAnd } from "./sign-in.tsx";
import { reauthenticationPage, signInPage } from "./sign-in-page.tsx";

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
