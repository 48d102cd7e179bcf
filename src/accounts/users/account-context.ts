import { type Caller, isServer, type WriteContext, writeContextOf } from "../../platform/auth/caller.ts";
import { type AddressedRequest, clientAddress, loginOrigin } from "../../platform/auth/client.ts";
import type { Role } from "../../platform/db/schema.ts";
import { sendInBackground } from "../../platform/email/send.ts";
import { inBackground } from "../../platform/http/background.ts";

/** Where and with what software a session is used, so that its user recognizes it. */
export type SessionClient = { address: string | null; userAgent: string | null };

const LONGEST_AGENT = 300;

/** For API keys, the client that their server forwards: its own address and user agent say nothing about the shopper. */
export function sessionClientOf(c: AddressedRequest): SessionClient {
  const header = isServer(c.var.identity) ? "X-Client-User-Agent" : "User-Agent";
  const userAgent = c.req.raw.headers.get(header)?.slice(0, LONGEST_AGENT) ?? null;
  return { address: clientAddress(c) ?? null, userAgent };
}

/** The context of a write about accounts, with the client. Password attempts count against `origin`. */
export type AccountContext<Who extends Caller = Caller> = WriteContext<Who> & {
  client: SessionClient;
  origin: string | null;
};

export const accountContextOf = <Who extends Caller>(
  c: AddressedRequest & Parameters<typeof writeContextOf<Who>>[0],
): AccountContext<Who> => ({ ...writeContextOf<Who>(c), client: sessionClientOf(c), origin: loginOrigin(c) });

/** Maximum lifetime of a session, however often it is refreshed. */
export const SESSION_MS = 90 * 24 * 60 * 60 * 1000;

/** The context of a login. */
export type LoginContext = AccountContext & {
  /** The accounts that may log in here. For any other account the password counts as wrong. */
  admits: (user: { role: Role }) => boolean;
  /** Maximum lifetime of the session. */
  lifetimeMs: number;
  /** Sends the e-mails that the login caused, after the response. */
  sendEmails: () => void;
  /** Runs work that the response must not wait for: its duration would tell whether an account exists. */
  inBackground: (what: string, work: Promise<unknown>) => void;
};

type LoginRequest = AddressedRequest &
  Parameters<typeof sendInBackground>[0] &
  Omit<Parameters<typeof writeContextOf>[0], "var"> & {
    var: Omit<Parameters<typeof writeContextOf>[0]["var"], "caller">;
  };

export const loginContextOf = (
  c: LoginRequest,
  { caller, admits, lifetimeMs = SESSION_MS }: Pick<LoginContext, "caller" | "admits"> & { lifetimeMs?: number },
): LoginContext => ({
  ...accountContextOf({ env: c.env, req: c.req, var: { ...c.var, caller } }),
  admits,
  lifetimeMs,
  sendEmails: () => sendInBackground(c),
  inBackground: (what, work) => inBackground(c, what, work),
});
