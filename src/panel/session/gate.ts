import { createMiddleware } from "hono/factory";
import { unauthorized } from "../../errors.ts";
import { asksForJson, type PageContext, type PanelEnv } from "../env.ts";
import { flash } from "../flash.ts";
import { returnPath } from "./return-path.ts";
import { administratorOf, dropSession, readSession, writeSession } from "./session.ts";
import { renewed } from "./token.ts";

/** Lets administrators in who are signed in, and sends everybody else to sign in. */
export const signedIn = createMiddleware<PanelEnv>(async (c, next) => {
  const session = await readSession(c);
  const caller = session && (await administratorOf(c.env, session));
  if (!session || !caller) return turnAway(c);
  c.set("identity", caller);
  c.set("caller", caller);
  const next_ = renewed(session, Date.now());
  if (next_) await writeSession(c, next_);
  await next();
});

/** A page is asked for again after signing in. What a form sent is gone, so its page is where to begin anew. */
function turnAway(c: PageContext): Response | Promise<Response> {
  dropSession(c);
  if (asksForJson(c)) throw unauthorized("unauthorized", "You were signed out: sign in in another window");
  const { origin, pathname, search } = new URL(c.req.url);
  if (c.req.method === "GET" || c.req.method === "HEAD") return toSignIn(c, pathname + search);
  if (c.req.method !== "POST") return c.notFound();
  flash(c, "warning", "You were signed out, and nothing was saved. Sign in and send it again.");
  return toSignIn(c, returnPath(c.req.header("Referer")?.replace(origin, ""), origin));
}

const toSignIn = (c: PageContext, path: string): Response =>
  c.redirect(path === "/admin" ? "/admin/sign-in" : `/admin/sign-in?next=${encodeURIComponent(path)}`, 303);
