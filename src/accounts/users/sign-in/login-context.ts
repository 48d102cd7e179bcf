import { type Author, authorAs } from "../../../platform/auth/author.ts";
import type { Caller } from "../../../platform/auth/caller.ts";
import { type AddressedRequest, loginOrigin } from "../../../platform/auth/client-address.ts";
import { sendInBackground } from "../../../platform/email/send.ts";
import { inBackground } from "../../../platform/http/background.ts";
import type { Secrets } from "../../../platform/settings/settings.ts";
import { SESSION_MS, type SessionClient, sessionClientOf } from "../sessions/sessions.ts";
import type { SessionUser } from "../users.ts";

/**
 * Where a login comes from, who attempts it, and which accounts it admits. For any other account the password counts as
 * wrong.
 */
export type LoginContext = {
  origin: string | null;
  client: SessionClient;
  author: Author;
  admits: (user: SessionUser) => boolean;
  /** Maximum lifetime of the session. */
  lifetimeMs: number;
  secrets: Secrets;
  /** Sends the e-mails that the login caused, after the response. */
  sendEmails: () => void;
  /** Runs work that the response must not wait for: its duration would tell whether an account exists. */
  inBackground: (what: string, work: Promise<unknown>) => void;
};

type LoginRequest = AddressedRequest & Parameters<typeof sendInBackground>[0] & Parameters<typeof authorAs>[1];

export const loginContextOf = (
  c: LoginRequest,
  caller: Caller,
  admits: LoginContext["admits"],
  lifetimeMs = SESSION_MS,
): LoginContext => ({
  origin: loginOrigin(c),
  client: sessionClientOf(c),
  author: authorAs(caller, c),
  admits,
  lifetimeMs,
  secrets: c.var.settings.linkSecrets,
  sendEmails: () => sendInBackground(c),
  inBackground: (what, work) => inBackground(c, what, work),
});
