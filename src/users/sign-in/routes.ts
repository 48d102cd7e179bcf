import { Hono } from "hono";
import { auditedKey } from "../../audit/entry.ts";
import type { AppEnv } from "../../auth/app-env.ts";
import type { Author } from "../../auth/author.ts";
import { ClientAddressHeaders, loginOrigin } from "../../auth/client-address.ts";
import { allowAnyone, limitAddress } from "../../auth/gates.ts";
import { loginSucceeded } from "../../auth/login-attempts/throttle.ts";
import { isStaff } from "../../auth/roles.ts";
import { mergeGuestCart } from "../../cart/public.ts";
import type { Database } from "../../db/client.ts";
import { sendInBackground } from "../../email/send.ts";
import { badRequest, fieldError } from "../../errors.ts";
import { created, noContent, ok } from "../../http/envelope.ts";
import { logFault } from "../../http/log.ts";
import { answers, answersNothing, creates } from "../../http/route-description.ts";
import { validate } from "../../http/validate.ts";
import { idempotent } from "../../idempotency/header.ts";
import { once } from "../../idempotency/once.ts";
import { amendResponse } from "../../idempotency/queries.ts";
import { type SessionClient, sessionClientOf } from "../sessions/client.ts";
import { closeSession } from "../sessions/end.ts";
import { endSessionOf, refreshSession } from "../sessions/refresh.ts";
import { loginContextOf } from "./login-context.ts";
import { Login, Logout, Refresh, Session, SignedInSession, Signup } from "./schemas.ts";
import { answerOf } from "./session-answer.ts";
import { logIn, type SignedIn, signUp } from "./sign-in.ts";

export const signIn = new Hono<AppEnv>()
  .post(
    "/auth/signup",
    allowAnyone("sessions:write", "sign-in"),
    idempotent,
    validate("header", ClientAddressHeaders),
    validate("json", Signup),
    creates("signUp", "Sign up", SignedInSession),
    async (c) => {
      const signup = c.req.valid("json");
      const { cart_merge, ...signedIn } = await once(
        c,
        signup,
        async (author) => {
          await limitAddress(c, "sign-up");
          return signUpWithCart(c.var, signup, author, auditedKey(c.var.caller, author), sessionClientOf(c));
        },
        signup.email,
      );
      await loginSucceeded(c.env, signup.email, loginOrigin(c));
      sendInBackground(c);
      const session = { ...(await answerOf(c.var.settings, signedIn)), cart_merge };
      return created(c, "/api/v1/user/account/profile", "Account created", session);
    },
  )
  .post(
    "/auth/login",
    allowAnyone("sessions:write", "sign-in"),
    validate("header", ClientAddressHeaders),
    validate("json", Login),
    answers("logIn", "Log in", SignedInSession),
    async (c) => {
      const login = c.req.valid("json");
      // No key reaches administrators: not their tokens, nor whether a password is theirs.
      const { caller } = c.var;
      const context = loginContextOf(c, caller, ({ role }) => !isStaff(role) || caller.kind !== "api_key");
      const signedIn = await logIn(c.env, c.var.db, login, context);
      const cart_merge = await mergedCart(c.var.db, signedIn, login.cart_token);
      return ok(c, "Logged in", { ...(await answerOf(c.var.settings, signedIn)), cart_merge });
    },
  )
  .post(
    "/auth/refresh",
    allowAnyone("sessions:write", "anonymous"),
    validate("header", ClientAddressHeaders),
    validate("json", Refresh),
    answers("refreshSession", "Refresh a session", Session),
    async (c) => {
      const { refresh_token } = c.req.valid("json");
      const signedIn = await refreshSession(c.env, c.var.db, refresh_token, sessionClientOf(c));
      return ok(c, "Token refreshed", await answerOf(c.var.settings, signedIn));
    },
  )
  .post(
    "/auth/logout",
    allowAnyone("sessions:write", "anonymous"),
    validate("json", Logout),
    answersNothing("logOut", "Log out"),
    async (c) => {
      const { refresh_token } = c.req.valid("json");
      const { caller } = c.var;
      if (refresh_token === undefined && caller.kind !== "user") {
        throw badRequest(fieldError("refresh_token", "required", "is required without a user token"));
      }
      if (refresh_token !== undefined) await endSessionOf(c.env, c.var.db, refresh_token);
      if (caller.kind === "user") await closeSession(c.env, c.var.db, caller.id, caller.sessionId);
      return noContent(c);
    },
  );

/** Merges the guest cart that a token names into the cart of whoever signed in. */
const mergedCart = async (db: Database, { user }: SignedIn, cartToken: string | undefined) =>
  cartToken === undefined ? null : mergeGuestCart(db, user.id, cartToken).catch(notMerged);

async function signUpWithCart(
  { db, settings }: Pick<AppEnv["Variables"], "db" | "settings">,
  signup: Signup,
  author: Author,
  audit: Author | null,
  client: SessionClient,
) {
  const signedIn = await signUp(db, settings.linkSecrets, signup, author, audit, client);
  const cart_merge = await mergedCart(db, signedIn, signup.cart_token);
  if (author.claim && cart_merge) await amendResponse(db, author.claim, "cart_merge", cart_merge).catch(notMerged);
  return { ...signedIn, cart_merge };
}

/** The account is made and the session open: a cart that waits for the next login is no reason to lose them. */
function notMerged(error: unknown): null {
  logFault("a guest cart was not merged", error);
  return null;
}
