import type { Database } from "../db/client.ts";
import type { Secrets, Settings } from "../settings/settings.ts";
import { type Caller, callerName, isAdministrator } from "./caller.ts";
import { isStale } from "./reauthentication.ts";
import { isStaff } from "./roles.ts";

/** A request that takes effect once: its caller, Idempotency-Key and content. */
export type AuthorClaim = {
  caller: string;
  key: string;
  /** Awaited when needed: the content of an upload is known after its last byte. */
  asked: () => unknown;
  secrets: Secrets;
};

/**
 * The author of a write: who, from which address, by which request and when, with the claim of a request that takes effect
 * once.
 */
export type Author = {
  actor: string;
  address: string | null;
  requestId: string;
  now: number;
  /** Minor units that they may move in 24 hours. Unlimited if undefined. */
  spendingLimit?: number | undefined;
  /** Session of a member of staff, whose money movements since the last password or code are counted. */
  session?: StaffSession | undefined;
  /** Set while a password or code is required for sensitive actions and above this amount in minor units. */
  reauthenticateAbove?: number | undefined;
  /** Bytes that they may store in a day without paying. Unlimited if undefined. */
  dailyStorage?: number | undefined;
  claim?: AuthorClaim | undefined;
};

type StaffSession = { id: string; authenticatedAt: number };

/** Bytes per day that a shopper may store, or all guests of a key together. */
export const dailyStorage = { user: 20_000_000, api_key: 1_000_000_000 } as const;

/** The part of a Context with the data about an author's request. */
type Asked = { req: { raw: Request }; var: { requestId: string; caller: Caller; settings: Settings } };

export function authorOf({ req, var: { requestId, caller, settings } }: Asked): Author {
  const now = Date.now();
  return {
    actor: callerName(caller),
    address: req.raw.headers.get("CF-Connecting-IP"),
    requestId,
    now,
    session: sessionOf(caller),
    spendingLimit: isLimited(caller) ? settings.staffSpendingLimit : undefined,
    reauthenticateAbove: isStale(caller, now) ? settings.reauthenticateAbove : undefined,
    dailyStorage: dailyStorageOf(caller),
  };
}

const sessionOf = (caller: Caller): StaffSession | undefined =>
  caller.kind === "user" && isStaff(caller.role)
    ? { id: caller.sessionId, authenticatedAt: caller.authenticatedAt }
    : undefined;

/** Staff are not limited. Callers without a credential can only store sign-ups, whose number is limited. */
const dailyStorageOf = (caller: Caller): number | undefined =>
  caller.kind === "anonymous" || (caller.kind === "user" && isStaff(caller.role))
    ? undefined
    : dailyStorage[caller.kind];

/** Administrators and the keys they create may move any amount. */
const isLimited = (caller: Caller): boolean =>
  caller.kind === "user" && isStaff(caller.role) && !isAdministrator(caller);

/**
 * First argument of every function that writes; the second is its input. Holds the bindings, the request's database session,
 * the caller, the settings, and the author with the time and the request id. A function asks for the members that it uses:
 * `Pick<WriteContext, "db" | "author">`, and for the callers that a gate admits: `Pick<WriteContext<UserCaller>, "caller">`.
 */
export type WriteContext<Who extends Caller = Caller> = {
  env: Env;
  db: Database;
  caller: Who;
  settings: Settings;
  author: Author;
};

/** The context of a request, behind the gate of its route. */
export const writeContextOf = <Who extends Caller>(
  c: Parameters<typeof authorOf>[0] & { env: Env; var: Pick<WriteContext<Who>, "db" | "caller"> },
): WriteContext<Who> => ({
  env: c.env,
  db: c.var.db,
  caller: c.var.caller,
  settings: c.var.settings,
  author: authorOf(c),
});
