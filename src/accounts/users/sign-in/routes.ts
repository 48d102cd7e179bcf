import { Hono } from "hono";
import * as z from "zod";
import { mergeGuestCart } from "../../../checkout/cart/public.ts";
import { refuseReservedDomain } from "../../../domain/contact.ts";
import { badRequest, fieldError } from "../../../domain/errors.ts";
import { iso } from "../../../domain/fields.ts";
import { type AuthorContext, type Caller, type WriteContext, writeContextOf } from "../../../platform/auth/caller.ts";
import { ClientAddressHeaders, ClientHeaders, loginOrigin } from "../../../platform/auth/client.ts";
import {
  type AppEnv,
  allowAnyone,
  allowUser,
  limitAccount,
  limitAddress,
  limitUser,
} from "../../../platform/auth/gates.ts";
import { resetLogins } from "../../../platform/auth/login-attempts/throttle.ts";
import { isStaff } from "../../../platform/auth/roles.ts";
import { signAccessToken } from "../../../platform/auth/tokens.ts";
import { sendInBackground } from "../../../platform/email/send.ts";
import { created, noContent, ok } from "../../../platform/http/envelope.ts";
import { logFault } from "../../../platform/http/log.ts";
import { answers, answersNothing, creates } from "../../../platform/http/route-description.ts";
import { validate, validateAll } from "../../../platform/http/validate.ts";
import { amendResponse } from "../../../platform/idempotency/claims.ts";
import { idempotent, once } from "../../../platform/idempotency/once.ts";
import { accountContextOf, loginContextOf, sessionClientOf } from "../account-context.ts";
import { emailTaken } from "../email-address/email-address.ts";
import { closeSession } from "../sessions/end.ts";
import { endSessionOf, refreshSession } from "../sessions/refresh.ts";
import { findUserByEmail } from "../users.ts";
import { ForgotPassword, insertResetLink, ResetPassword, resetPassword } from "./recovery.ts";
import {
  FreshToken,
  LoginCompletion,
  LoginRequest,
  LoginResult,
  Logout,
  Reauthentication,
  Refresh,
  ResetPasswordResult,
  Session,
  SignedInSession,
  SignupRequest,
  toChallenge,
} from "./schemas.ts";
import { answerOf, completeLogin, logIn, reauthenticate, type SignedIn, signUp } from "./sign-in.ts";

export const signIn = new Hono<AppEnv>()
  .post(
    "/auth/signup",
    allowAnyone("sessions:write", "sign-in"),
    idempotent,
    validateAll({ header: ClientHeaders, json: SignupRequest }),
    creates("signUp", "Sign up", SignedInSession, {
      description:
        "Returns a session, and e-mails a link that verifies the address. A guest cart is merged if `cart_token` names it.",
      refuses: { 400: ["email_taken"] },
    }),
    async (c) => {
      const signup = c.req.valid("json");
      const { cart_merge, ...signedIn } = await once(
        c,
        signup,
        async (ctx) => {
          await limitAddress(c, "sign-up");
          if (await findUserByEmail(c.var.db, signup.email)) throw emailTaken["users.email"]();
          // Each sign-up sends an e-mail to the address, and the next sign-up can take an address that an account has left.
          await limitAccount(c, "recovery", `sign-up:${signup.email}`);
          const signedUp = await signUpWithCart({ ...ctx, client: sessionClientOf(c) }, signup);
          // Runs inside `once`: when the request is repeated, the address may belong to somebody else.
          await resetLogins(c.env, signup.email, loginOrigin(c));
          return signedUp;
        },
        signup.email,
      );
      sendInBackground(c);
      const session = { ...(await answerOf(c.var.settings, signedIn)), cart_merge };
      return created(c, "/api/v1/user/account/profile", "Account created", session);
    },
  )
  .post(
    "/auth/login",
    allowAnyone("sessions:write", "sign-in"),
    validateAll({ header: ClientHeaders, json: LoginRequest }),
    answers("logIn", "Sign in", LoginResult, {
      description:
        "Returns an access token for an hour and a refresh token for 30 days, or a `challenge` for `POST /auth/login/two-factor` if the account has a second factor.",
      refuses: { 401: ["invalid_credentials"], 429: ["too_many_attempts"] },
    }),
    async (c) => {
      const login = c.req.valid("json");
      const outcome = await logIn(contextOf(c), login);
      if ("challenge" in outcome) return ok(c, "Send a code of the second factor", toChallenge(outcome));
      return ok(c, "Signed in", await sessionOf(writeContextOf(c), outcome, login.cart_token));
    },
  )
  .post(
    "/auth/login/two-factor",
    allowAnyone("sessions:write", "sign-in"),
    validateAll({ header: ClientHeaders, json: LoginCompletion }),
    answers("completeLogin", "Complete a sign-in with a second-factor code", SignedInSession, {
      refuses: { 401: ["invalid_challenge", "invalid_code"], 429: ["too_many_attempts"] },
    }),
    async (c) => {
      const login = c.req.valid("json");
      const signedIn = await completeLogin(contextOf(c), login);
      return ok(c, "Signed in", await sessionOf(writeContextOf(c), signedIn, login.cart_token));
    },
  )
  .post(
    "/auth/refresh",
    allowAnyone("sessions:write", "anonymous"),
    validateAll({ header: ClientHeaders, json: Refresh }),
    answers("refreshSession", "Refresh a session", Session, {
      description:
        "Each refresh token works once: store the new one. A refresh token that is used twice ends its session.",
      refuses: { 401: ["invalid_refresh_token"] },
    }),
    async (c) => {
      const { refresh_token } = c.req.valid("json");
      const signedIn = await refreshSession(accountContextOf(c), refresh_token);
      return ok(c, "Token refreshed", await answerOf(c.var.settings, signedIn));
    },
  )
  .post(
    "/auth/reauthenticate",
    allowUser,
    validate("json", Reauthentication),
    answers("reauthenticate", "Confirm your password or second factor", FreshToken, {
      refuses: {
        400: ["wrong_code", "wrong_password"],
        404: ["not_found"],
        409: ["two_factor_not_enabled"],
        429: ["too_many_attempts"],
      },
    }),
    async (c) => {
      await limitUser(c, c.var.caller, "sign-in");
      const claims = await reauthenticate(accountContextOf(c), c.req.valid("json"));
      const { token, expiresAt } = await signAccessToken(c.var.settings, claims);
      return ok(c, "Confirmed for ten minutes", { token, expires_at: iso(expiresAt) });
    },
  )
  .post(
    "/auth/logout",
    allowAnyone("sessions:write", "anonymous"),
    validate("json", Logout),
    answersNothing("logOut", "Sign out", { description: "Ends the session at once, including its access tokens." }),
    async (c) => {
      const { refresh_token } = c.req.valid("json");
      const { caller } = c.var;
      if (refresh_token === undefined && caller.kind !== "user") {
        throw badRequest(fieldError("refresh_token", "required", "is required without a user token"));
      }
      const ctx = writeContextOf(c);
      if (refresh_token !== undefined) await endSessionOf(ctx, refresh_token);
      if (caller.kind === "user") await closeSession(ctx, { userId: caller.id, id: caller.sessionId });
      return noContent(c);
    },
  );

/** API keys never reach staff: they get no staff tokens and cannot test staff passwords. */
function contextOf(c: Parameters<typeof loginContextOf>[0] & { var: { caller: Caller } }) {
  const { caller } = c.var;
  return loginContextOf(c, { caller, admits: ({ role }) => !isStaff(role) || caller.kind !== "api_key" });
}

async function sessionOf(
  ctx: Pick<WriteContext, "db" | "settings" | "author">,
  signedIn: SignedIn,
  cartToken: string | undefined,
) {
  const cart_merge = await mergedCart(ctx, signedIn, cartToken);
  return { ...(await answerOf(ctx.settings, signedIn)), cart_merge };
}

/** Merges the guest cart that a token names into the cart of the user who signed in. */
const mergedCart = async (ctx: AuthorContext, { user }: SignedIn, cartToken: string | undefined) =>
  cartToken === undefined ? null : mergeGuestCart(ctx, { userId: user.id, token: cartToken }).catch(notMerged);

async function signUpWithCart(ctx: Parameters<typeof signUp>[0], signup: SignupRequest) {
  const { db, settings, author } = ctx;
  refuseReservedDomain(settings, signup.email);
  const signedIn = await signUp(ctx, signup);
  const cart_merge = await mergedCart(ctx, signedIn, signup.cart_token);
  if (author.claim && cart_merge) await amendResponse(db, author.claim, "cart_merge", cart_merge).catch(notMerged);
  return { ...signedIn, cart_merge };
}

/** The account exists and the session is open, so a cart that fails to merge waits for the next login. */
function notMerged(error: unknown): null {
  logFault("guest cart not merged", error);
  return null;
}

export const recovery = new Hono<AppEnv>()
  .post(
    "/auth/forgot-password",
    allowAnyone("sessions:write", "recovery"),
    validateAll({ header: ClientAddressHeaders, json: ForgotPassword }),
    answers("forgotPassword", "Request a password reset link", z.null(), {
      description: "The response is the same whether the address has an account or not.",
    }),
    async (c) => {
      const { email } = c.req.valid("json");
      await limitAccount(c, "recovery", email);
      await insertResetLink(writeContextOf(c), email);
      sendInBackground(c);
      return ok(c, "If the address belongs to an account, a link was sent to it", null);
    },
  )
  .post(
    "/auth/reset-password",
    allowAnyone("sessions:write", "sign-in"),
    validateAll({ header: ClientHeaders, json: ResetPassword }),
    answers("resetPassword", "Reset your password", ResetPasswordResult, {
      description: "Takes the token of the e-mailed link, ends all other sessions, and signs in.",
      refuses: { 400: ["link_ended"] },
    }),
    async (c) => {
      // API keys cannot reset administrators' passwords, because the holder of a key could have read their e-mails.
      const { caller, settings } = c.var;
      const ctx = loginContextOf(c, { caller, admits: ({ role }) => !isStaff(role) || caller.kind !== "api_key" });
      const outcome = await resetPassword(ctx, c.req.valid("json"));
      sendInBackground(c);
      const data = "challenge" in outcome ? toChallenge(outcome) : await answerOf(settings, outcome);
      return ok(c, "Password changed. All other sessions have ended", data);
    },
  );
