import { eq, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import {
  fieldError,
  forbidden,
  insufficientScope,
  reauthenticationRequired,
  wrongCaller,
} from "../../domain/errors.ts";
import { type Language, preferredLanguage } from "../../domain/language.ts";
import type { Database } from "../db/client.ts";
import type { Role, Tier } from "../db/schema.ts";
import type { Count } from "../rate-limit/counting.ts";
import { networkOf } from "../rate-limit/network.ts";
import { NETWORK_FACTOR } from "../rate-limit/policies.ts";
import type { Secrets, Settings } from "../settings/settings.ts";
import { isStaff, type Permission, permits, rolePermissions } from "./roles.ts";
import type { ShopperScope } from "./scopes.ts";

export type ApiKeyCaller = {
  kind: "api_key";
  id: number;
  permissions: string[];
  tier: Tier;
  /** True for a test key, whose orders move no money. */
  test: boolean;
  /** True for a key with allowed origins. Web pages contain it, so its callers are not trusted to forward shoppers. */
  isPublic: boolean;
  /** True for an app that staff installed, which sees its own webhooks only. */
  isApp: boolean;
  /** Decides the default version of the API. */
  createdAt: number;
};
export type UserCaller = {
  kind: "user";
  id: number;
  role: Role;
  sessionId: string;
  /** Time of the last password or code. */
  authenticatedAt: number;
  /** True if signing in to the account requires a code. */
  hasTwoFactor: boolean;
  /** Set for an app: its scopes, as the shopper agreed to them. Undefined if the user acts alone. */
  scopes?: readonly ShopperScope[];
  /** The OAuth client of an app. */
  clientId?: string;
};
type AnonymousCaller = { kind: "anonymous" };

/** The caller. A route's gate narrows it to the admitted kinds. */
export type Caller = ApiKeyCaller | UserCaller | AnonymousCaller;

/** Name of a caller in logs and order history: "user:7", "api_key:3", "anonymous". */
export const callerName = (caller: Caller): string =>
  caller.kind === "anonymous" ? caller.kind : `${caller.kind}:${caller.id}`;

export const isAdministrator = (caller: Caller): boolean => caller.kind === "user" && caller.role === "admin";

/** True for the shop's own server with an API key, which forwards the addresses of its shoppers. */
export const isServer = (caller: Caller | undefined): boolean =>
  caller?.kind === "api_key" && !caller.isPublic && !caller.isApp;

/** True for a test key: see docs/api.md. */
export const isTestKey = (caller: Caller): boolean => caller.kind === "api_key" && caller.test;

/** True if a key was granted the permission, or a user's role includes it. */
export function may(caller: Caller, permission: Permission): boolean {
  if (caller.kind === "anonymous") return false;
  return permits(caller.kind === "api_key" ? caller.permissions : rolePermissions[caller.role], permission);
}

/** True for callers who may write products. Everyone else, including a storefront's key, sees active products only. */
export const seesDrafts = (caller: Caller): boolean => may(caller, "products:write");

/** True for staff who see products, and for API keys that may write them. A storefront's key never sees what products cost the shop. */
export const seesCosts = (caller: Caller): boolean =>
  may(caller, caller.kind === "user" ? "products:read_all" : "products:write");

export function requirePermission(caller: Caller, permission: Permission): void {
  if (may(caller, permission)) return;
  throw insufficientScope(caller.kind === "user" ? `The role ${caller.role}` : "The API key", permission);
}

/** Refuses an app that the shopper did not let do this. `needed` is null if nothing is needed, undefined if no app may. */
export function requireScope({ scopes }: UserCaller, needed: ShopperScope | null | undefined): void {
  if (scopes === undefined || needed === null || (needed !== undefined && scopes.includes(needed))) return;
  if (needed !== undefined) throw insufficientScope("The app", needed);
  throw wrongCaller("own_session_required", "No app can do this for you. Sign in yourself");
}

/** The accounts that a caller may read and change: only administrators may access staff. */
export const accountScopeOf = (caller: UserCaller | ApiKeyCaller): AccountScope =>
  isAdministrator(caller) ? "everybody" : "customers";

/** The reason why a credential is invalid. `code` is set if it is genuine, but may not be used from its origin. */
type Invalid = { valid: false; reason: string; code?: "address_not_allowed" | "origin_not_allowed" };

/** Result of checking a credential: its caller, or the reason why it is invalid. */
export type Verification<C> = { valid: true; caller: C } | Invalid;

/** A verified credential with its count; `count` is null if no limiter responded. */
export type AuthResult<C> = { valid: true; caller: C; count: Count | null } | Invalid;

/** Accounts that a caller may read and change. */
export type AccountScope = "everybody" | "customers";

/** An account and the scope of the caller who names it. Outside the scope it is not found. */
export type Target = { id: number; scope: AccountScope };

/** The condition that a row belongs to nobody, or to a user within the scope. */
export const inScope = (scope: AccountScope, userId: SQLiteColumn | SQL): SQL | undefined =>
  scope === "everybody"
    ? undefined
    : sql`NOT EXISTS (SELECT 1 FROM users WHERE users.id = ${userId} AND users.role <> 'customer')`;

/**
 * The condition that a row belongs to a user, or to the guests of a server's key. Every visitor of a page can read its key, so a
 * key in a page has no rows.
 */
export function isOwn(caller: UserCaller | ApiKeyCaller, row: { userId: SQLiteColumn; apiKeyId: SQLiteColumn }): SQL {
  if (caller.kind === "user") return eq(row.userId, caller.id);
  return caller.isPublic ? sql`FALSE` : eq(row.apiKeyId, caller.id);
}

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
  /** IPv4 address or IPv6 /64 of a guest. Null for accounts, and for servers and agents that order for many shoppers. */
  guestNetwork?: string | null;
  /** Language of the request, for e-mails to a shopper. Null if it names none. */
  language?: Language | null;
  requestId: string;
  now: number;
  /** Minor units that they may move in 24 hours. Unlimited if undefined. */
  spendingLimit?: number | undefined;
  /** Session of a member of staff, whose money movements since the last password or code are counted. */
  session?: StaffSession | undefined;
  /** Set while a password or code is required for sensitive actions and above this amount in minor units. */
  reauthenticateAbove?: number | undefined;
  /** Owners to whom the bytes that they store without paying are counted. Unlimited if undefined. */
  storage?: readonly StorageShare[] | undefined;
  claim?: AuthorClaim | undefined;
};

type StaffSession = { id: string; authenticatedAt: number };

/** Bytes per day that an owner may store: an account, a key for all its guests, or whatever else the shop can verify. */
export type StorageShare = { owner: string; limit: number };

/** Bytes per day that a shopper may store, all guests of a key together, callers without a credential, or an agent that signs. */
export const dailyStorage = {
  user: 20_000_000,
  api_key: 1_000_000_000,
  address: 20_000_000,
  agent: 200_000_000,
} as const;

/** The shares of an address: its own and, because an IPv6 customer may have a /48, a larger one of its network. */
export function addressStorage(address: string | null, limit: number = dailyStorage.address): StorageShare[] {
  const { network, subnet } = networkOf(address ?? undefined) ?? { network: "unknown", subnet: null };
  const own = { owner: `address:${subnet ?? network}`, limit };
  return subnet === null ? [own] : [own, { owner: `address:${network}`, limit: limit * NETWORK_FACTOR }];
}

/** The part of a Context with the data about an author's request. */
type RequestContext = { req: { raw: Request }; var: { requestId: string; caller: Caller; settings: Settings } };

export function authorOf({ req, var: { requestId, caller, settings } }: RequestContext): Author {
  const now = Date.now();
  const address = req.raw.headers.get("CF-Connecting-IP");
  return {
    actor: callerName(caller),
    address,
    guestNetwork: guestNetworkOf(caller, req.raw.headers),
    language: preferredLanguage(req.raw.headers.get("Accept-Language")),
    requestId,
    now,
    session: sessionOf(caller),
    spendingLimit: isLimited(caller) ? settings.staffSpendingLimit : undefined,
    reauthenticateAbove: isStale(caller, now) ? settings.reauthenticateAbove : undefined,
    storage: storageOf(caller, address),
  };
}

function guestNetworkOf(caller: Caller, headers: Headers): string | null {
  if (caller.kind === "user") return null;
  const sent = headers.get(isServer(caller) ? "X-Client-Address" : "CF-Connecting-IP");
  const owner = networkOf(sent ?? undefined);
  return owner && (owner.subnet ?? owner.network);
}

const sessionOf = (caller: Caller): StaffSession | undefined =>
  caller.kind === "user" && isStaff(caller.role)
    ? { id: caller.sessionId, authenticatedAt: caller.authenticatedAt }
    : undefined;

/** Staff are not limited. Web pages contain a public key, so one address must not use up the key's share. */
function storageOf(caller: Caller, address: string | null): readonly StorageShare[] | undefined {
  if (caller.kind === "anonymous") return addressStorage(address);
  if (caller.kind === "user" && isStaff(caller.role)) return undefined;
  const own = { owner: callerName(caller), limit: dailyStorage[caller.kind] };
  return caller.kind === "api_key" && caller.isPublic ? [own, ...addressStorage(address)] : [own];
}

/** Administrators and the keys they create may move any amount. */
const isLimited = (caller: Caller): boolean =>
  caller.kind === "user" && isStaff(caller.role) && !isAdministrator(caller);

/**
 * First argument of every function that writes; the second is its input. Holds the bindings, the request's database session,
 * the caller, the settings, and the author with the time and the request id. A function asks for the members that it uses:
 * `AuthorContext`, `Pick<WriteContext, "env">`, and for the callers that a gate admits: `Pick<WriteContext<UserCaller>, "caller">`.
 */
export type WriteContext<Who extends Caller = Caller> = {
  env: Env;
  db: Database;
  caller: Who;
  settings: Settings;
  author: Author;
};

/** The contexts of most functions that write. */
export type AuthorContext = Pick<WriteContext, "db" | "author">;
export type SettingsContext = Pick<WriteContext, "env" | "db" | "settings" | "author">;
export type CallerContext = Pick<WriteContext<UserCaller | ApiKeyCaller>, "db" | "caller" | "author">;
export type UserContext = Pick<WriteContext<UserCaller>, "db" | "caller" | "author">;

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

/** Time for which a password or code is recent enough for sensitive actions. */
const FRESH_MS = 10 * 60_000;

/** True if a member of staff last entered a password or code too long ago. Does not apply to API keys. */
const isStale = (caller: Caller, now: number): boolean =>
  caller.kind === "user" && isStaff(caller.role) && now - caller.authenticatedAt >= FRESH_MS;

/** The part of an author that determines whether to ask. */
type Sensitive = { reauthenticateAbove?: number | undefined };

/** Requires a recent password or code, for sensitive actions, such as changing keys and roles. */
export function requireFresh({ reauthenticateAbove }: Sensitive): void {
  if (reauthenticateAbove !== undefined) throw reauthenticationRequired();
}

/**
 * The only right that lets someone sign in as another person: changing an e-mail address immediately, setting a
 * password or role, and removing a second factor. Only administrators have it, after reauthentication, and no API key
 * or other role does. `fields` are the request's fields that require it.
 */
export function requireCredentialsRight(author: Sensitive, scope: AccountScope, fields: string[]): void {
  const [first] = fields;
  if (first === undefined) return;
  if (scope === "customers") {
    const words = "can only be changed by administrators";
    const errors = fields.map((field) => fieldError(field, "read_only", words));
    throw forbidden("administrators_only", `The ${first} ${words}`, ...errors);
  }
  requireFresh(author);
}
