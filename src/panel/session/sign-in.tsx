import type { Context } from "hono";
import { accountContextOf, loginContextOf } from "../../accounts/users/account-context.ts";
import { LoginCompletion, LoginRequest, Reauthentication } from "../../accounts/users/sign-in/schemas.ts";
import { completeLogin, logIn, reauthenticate } from "../../accounts/users/sign-in/sign-in.ts";
import type { LoginChallenge } from "../../accounts/users/two-factor/challenge.ts";
import { limitAddress } from "../../platform/auth/gates.ts";
import { isStaff } from "../../platform/auth/roles.ts";
import { attemptWrite } from "../forms/attempt.ts";
import { optional, text, type Values } from "../forms/kinds.ts";
import type { SentForm } from "../forms/read-form.ts";
import type { PageContext, PanelEnv } from "../page.tsx";
import { writeSession } from "./session.ts";
import { reauthenticationPage, signInPage } from "./sign-in-page.tsx";
import { beginSession, type PanelSession, SESSION_S } from "./token.ts";

/**
 * Signs in and continues, or asks for a code of the second factor on the same page. `waiting` is the next step, and
 * `admit` refuses an address with too many attempts. An expired challenge starts over with the password.
 */
export function signInAnd(
  c: PageContext,
  sent: SentForm,
  waiting: Record<string, string>,
  admit: () => void,
  proceed: (session: PanelSession) => Response | Promise<Response>,
): Promise<Response> {
  const [challenge] = sent.values.challenge ?? [];
  return attemptWrite(
    c,
    sent,
    (failed) => {
      const goesOn = challenge !== undefined && failed.code !== "invalid_challenge";
      return signInPage(c, sent.action, goesOn ? { ...waiting, challenge } : waiting, failed);
    },
    async () => {
      admit();
      const outcome = await signIn(c, sent, challenge !== undefined);
      if (!("challenge" in outcome)) return proceed(outcome);
      return signInPage(c, sent.action, { ...waiting, challenge: outcome.challenge });
    },
  );
}

/** Opens a session for a member of staff by e-mail and password, or code. Customers are refused like strangers. */
async function signIn(c: PageContext, sent: SentForm, hasChallenge: boolean): Promise<PanelSession | LoginChallenge> {
  const ctx = loginContextOf(c, {
    caller: { kind: "anonymous" },
    admits: ({ role }) => isStaff(role),
    lifetimeMs: SESSION_S * 1000,
  });
  const outcome = hasChallenge
    ? await completeLogin(ctx, sent.read(LoginCompletion, { challenge: text, code: text }))
    : await logIn(ctx, sent.read(LoginRequest, { email: text, password: text }));
  if ("challenge" in outcome) return outcome;
  const { user, session } = outcome;
  const begun = beginSession({ userId: user.id, sessionId: session.id, authenticatedAt: session.now }, session.now);
  await writeSession(c, begun);
  return begun;
}

/** Verifies the password or a code and continues with a freshly authenticated session. */
export const reauthenticateAnd = (
  c: Context<PanelEnv>,
  sent: SentForm,
  saved: Values,
  session: PanelSession,
  proceed: (authenticatedAt: number) => Promise<Response>,
): Promise<Response> =>
  attemptWrite(
    c,
    sent,
    (failed) => reauthenticationPage(c, sent.action, saved, failed),
    async () => {
      await limitAddress(c, "sign-in");
      const shown = sent.read(Reauthentication, { current_password: optional, code: optional });
      const { authenticatedAt } = await reauthenticate(accountContextOf(c), shown);
      await writeSession(c, { ...session, authenticatedAt });
      return proceed(authenticatedAt);
    },
  );
