import { createMiddleware } from "hono/factory";
import { unauthorized } from "../../domain/errors.ts";
import { PROMPT_MS } from "../../platform/auth/authenticate.ts";
import type { UserCaller } from "../../platform/auth/caller.ts";
import { lacksTwoFactor } from "../../platform/auth/gates.ts";
import { readTimeZone } from "../../platform/db/time-zone.ts";
import { asksForJson, type PageContext, type PanelEnv } from "../env.ts";
import { isForm, readForm, readTyped } from "../forms/read-form.ts";
import { TWO_FACTOR } from "../sections.ts";
import { continueSession, countSender, dropSession, readSession, staffOf } from "./session.ts";
import { reauthenticateAnd, signInAnd } from "./sign-in.tsx";
import { REAUTHENTICATES, savedFormField, savedFormIn, saveForm, signInPage } from "./sign-in-page.tsx";
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
