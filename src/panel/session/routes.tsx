import { type Context, Hono } from "hono";
import { doorOf } from "../../auth/door.ts";
import { limitAddress } from "../../auth/gates.ts";
import { Login } from "../../auth/schemas.ts";
import { closeSession } from "../../auth/sessions/refresh.ts";
import { logIn } from "../../auth/sign-in.ts";
import type { AppEnv } from "../../env.ts";
import { done } from "../flash.ts";
import { attempt } from "../forms/attempt.ts";
import { text } from "../forms/kinds.ts";
import { readForm, type SentForm } from "../forms/read-form.ts";
import { formFor } from "../forms/state.ts";
import { returnPath } from "./return-path.ts";
import { administratorOf, dropSession, readSession, writeSession } from "./session.ts";
import { signInPage } from "./sign-in-page.tsx";
import { beginSession } from "./token.ts";

const SIGN_IN = "/admin/sign-in";

/** Signing in and out: all of the panel that needs nobody signed in. */
export const session = new Hono<AppEnv>()
  .get("/sign-in", async (c) => {
    const going = await readSession(c);
    if (going && (await administratorOf(c.env, going))) return c.redirect(nextPage(c, c.req.query("next")), 303);
    // A link on another site brings no Strict cookie along, even of who is signed in: the page asks once more by itself.
    if (c.req.header("Sec-Fetch-Site") === "cross-site") c.header("Refresh", "0");
    return signInPage(c, formFor(null, SIGN_IN, { next: c.req.query("next") ?? "" }));
  })
  .post("/sign-in", async (c) => {
    const sent = await readForm(c);
    return attempt(
      c,
      sent,
      (failed) => signInPage(c, failed),
      () => signIn(c, sent),
    );
  })
  .post("/sign-out", async (c) => {
    const going = await readSession(c);
    if (going) await closeSession(c.env, c.var.db, going.userId, going.sessionId);
    dropSession(c);
    return done(c, SIGN_IN, "You are signed out.");
  });

async function signIn(c: Context<AppEnv>, sent: SentForm): Promise<Response> {
  await limitAddress(c, "sign-in");
  const login = sent.read(Login, { email: text, password: text });
  const door = doorOf(c, { kind: "anonymous" }, ({ role }) => role === "admin");
  const { user, session } = await logIn(c.env, c.var.db, login, door);
  await writeSession(c, beginSession({ userId: user.id, sessionId: session.id }, session.now));
  return c.redirect(nextPage(c, sent.values.next?.[0]), 303);
}

const nextPage = (c: Context, asked: string | undefined): string => returnPath(asked, new URL(c.req.url).origin);
