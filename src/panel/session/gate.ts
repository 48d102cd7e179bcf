import { createMiddleware } from "hono/factory";
import type { UserCaller } from "../../auth/caller.ts";
import { unauthorized } from "../../errors.ts";
import { asksForJson, type PageContext, type PanelEnv } from "../env.ts";
import { flash } from "../flash.ts";
import { attempt } from "../forms/attempt.ts";
import { isForm, readForm } from "../forms/read-form.ts";
import { formFor } from "../forms/state.ts";
import { keep, keptField, keptIn } from "./kept-form.ts";
import { returnPath } from "./return-path.ts";
import { administratorOf, dropSession, readSession, writeSession } from "./session.ts";
import { signIn } from "./sign-in.ts";
import { signInPage } from "./sign-in-page.tsx";
import { renewed } from "./token.ts";

/**
 * Lets administrators in who are signed in, and sends everybody else to sign in. A form that came without a session is kept
 * by the sign-in page, which is sent to the form's own address: whoever signs in there finds it as they typed it.
 */
export const signedIn = createMiddleware<PanelEnv>(async (c, next) => {
  const sent = isForm(c) ? await readForm(c) : null;
  const kept = sent && keptIn(sent.values);
  const letIn = (caller: UserCaller) => {
    c.set("identity", caller);
    c.set("caller", caller);
    c.set("keptForm", kept);
    return next();
  };

  const session = await readSession(c);
  const caller = session && (await administratorOf(c.env, session));
  if (session && caller) {
    const later = renewed(session, Date.now());
    if (later) await writeSession(c, later);
    return letIn(caller);
  }
  dropSession(c);
  if (!sent || asksForJson(c)) return turnAway(c);

  const form = { [keptField]: keep(kept ?? sent.values) };
  if (!kept) {
    c.status(401);
    return signInPage(c, formFor(null, sent.action), form);
  }
  return attempt(
    c,
    sent,
    (failed) => signInPage(c, formFor(failed, sent.action), form),
    async () => {
      const caller = await administratorOf(c.env, await signIn(c, sent));
      if (!caller) return turnAway(c);
      await letIn(caller);
      return c.res;
    },
  );
});

/** A page is asked for again after signing in. A file that was sent is gone, so its page is where to begin anew. */
function turnAway(c: PageContext): Response | Promise<Response> {
  if (asksForJson(c)) throw unauthorized("unauthorized", "You were signed out: sign in in another window");
  const { origin, pathname, search } = new URL(c.req.url);
  if (c.req.method === "GET" || c.req.method === "HEAD") return toSignIn(c, pathname + search);
  if (c.req.method !== "POST") return c.notFound();
  flash(c, "warning", "You were signed out, and nothing was saved. Sign in and send it again.");
  return toSignIn(c, returnPath(c.req.header("Referer")?.replace(origin, ""), origin));
}

const toSignIn = (c: PageContext, path: string): Response =>
  c.redirect(path === "/admin" ? "/admin/sign-in" : `/admin/sign-in?next=${encodeURIComponent(path)}`, 303);
