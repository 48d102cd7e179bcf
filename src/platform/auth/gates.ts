import { createMiddleware } from "hono/factory";
import { roles } from "../../accounts/users/tables.ts";
import { type ApiError, forbidden, tooManyRequests, unauthorized, wrongCaller } from "../../domain/errors.ts";
import type { Language } from "../../domain/language.ts";
import type { Database } from "../db/client.ts";
import { describeRoute, type RouteDescription } from "../http/route-description.ts";
import type { ReadsStored } from "../http/sent-back.ts";
import { type Count, countAccount, countAddress } from "../rate-limit/counting.ts";
import { secondsToReset } from "../rate-limit/limiter.ts";
import type { AddressPolicy } from "../rate-limit/policies.ts";
import type { Settings } from "../settings/settings.ts";
import {
  type ApiKeyCaller,
  type Caller,
  isServer,
  isTestKey,
  requirePermission,
  requireScope,
  type UserCaller,
} from "./caller.ts";
import { type AddressedRequest, clientAddress } from "./client.ts";
import { isStaff, type Permission, rolesWith } from "./roles.ts";
import { type ShopperScope, scopeFor } from "./scopes.ts";
import { hashSecret } from "./secrets.ts";

// A gate is the second word of a route's line: it decides who may call, and passes the handler a caller of those kinds.

/** Refuses staff without a second factor if the deployment requires one. */
function requireTwoFactor({ staffTwoFactor }: Settings, caller: Caller): void {
  if (!lacksTwoFactor({ staffTwoFactor }, caller)) return;
  throw forbidden("two_factor_required", "Set up a second factor first: POST /api/v1/user/account/two-factor");
}

/** True for staff who must set up a second factor before anything else. */
export const lacksTwoFactor = ({ staffTwoFactor }: Pick<Settings, "staffTwoFactor">, caller: Caller): boolean =>
  staffTwoFactor && caller.kind === "user" && isStaff(caller.role) && !caller.hasTwoFactor;

/** Staff without a required second factor shop like customers, so that no route of shoppers shows what their role may see. */
const asShopper = <C extends Caller>(settings: Settings, caller: C): C | UserCaller =>
  caller.kind === "user" && lacksTwoFactor(settings, caller) ? { ...caller, role: "customer" } : caller;

type GatedEnv<C extends Caller> = AppEnv & { Variables: { caller: C } };

/** Marks a line as writable by test keys, because it leaves real money, stock and customers alone. */
type SandboxMark = "sandboxed";

/** Refuses changes by a test key outside the sandbox: every write whose line is not marked. */
function requireLiveKey(
  { req: { method } }: { req: { method: string } },
  caller: Caller,
  sandboxed?: SandboxMark,
): void {
  if (!isTestKey(caller) || sandboxed || method === "GET" || method === "HEAD") return;
  throw forbidden("live_key_required", "A test key cannot do this. Use a live key");
}

const LOG_IN = "Send an API key or a user token: Authorization: Bearer <credential>";

type Access = NonNullable<RouteDescription["access"]>;

/** A gate for callers with a credential. `admit` returns the caller that the handler gets, or refuses the request. */
const gate = <C extends Caller>(
  access: Access,
  admit: (caller: ApiKeyCaller | UserCaller, c: { req: { method: string }; var: { settings: Settings } }) => C,
  missing: { message: string; scope?: string } = { message: LOG_IN },
) =>
  describeRoute(
    createMiddleware<GatedEnv<C>>(async (c, next) => {
      const caller = c.get("identity");
      if (caller.kind === "anonymous") throw unauthorized("unauthorized", missing.message, missing.scope);
      c.set("caller", admit(caller, c));
      await next();
    }),
    { access },
  );

/** Admits users, and API keys with the permission. */
export const allow = (permission: Permission, sandboxed?: SandboxMark) =>
  gate({ permission, users: "everybody", anonymous: false }, (caller, c) => {
    if (caller.kind === "api_key") requirePermission(caller, permission);
    else requireScope(caller, scopeFor[permission]);
    requireLiveKey(c, caller, sandboxed);
    return asShopper(c.var.settings, caller);
  });

/** Policies that also count users by address: password attempts, sign-ups and e-mails. */
const COUNTS_EVERYBODY: ReadonlySet<AddressPolicy> = new Set(["sign-in", "sign-up", "recovery"]);

/**
 * Like `allow`, and admits callers without a credential, counted by address under `policy`. Undefined admits none. For
 * passwords and sign-ups, users are counted by address too, because tokens are easy to get, and so are shoppers whose
 * address a server forwards. Routes that require a secret link may count users by account.
 */
export const allowAnyone = (
  permission: Permission,
  policy: AddressPolicy | ((settings: Settings) => AddressPolicy | undefined),
  usersCountBy: "address" | "account" = "address",
) =>
  describeRoute(
    createMiddleware<GatedEnv<Caller>>(async (c, next) => {
      const caller = c.get("identity");
      const counted = typeof policy === "function" ? policy(c.get("settings")) : policy;
      if (caller.kind === "anonymous" && !counted) throw unauthorized("unauthorized", LOG_IN);
      if (counted && caller.kind === "user" && usersCountBy === "account") await limitUser(c, caller, counted);
      else if (counted && (caller.kind === "anonymous" || COUNTS_EVERYBODY.has(counted)))
        await limitAddress(c, counted);
      if (caller.kind === "api_key") requirePermission(caller, permission);
      if (caller.kind === "user") requireScope(caller, scopeFor[permission]);
      requireLiveKey(c, caller);
      c.set("caller", asShopper(c.get("settings"), caller));
      await next();
    }),
    { access: { permission, users: "everybody", anonymous: true } },
  );

export type Countable = AddressedRequest & { env: Env; set: (name: "count", count: Count) => void };

/** Counts the request against its address and refuses it above the policy's limit. A server's own address does not count. */
export async function limitAddress(c: Countable, policy: AddressPolicy): Promise<void> {
  const address = clientAddress(c);
  const isForwarded = isServer(c.var.identity);
  if (isForwarded && address === undefined) return;
  const count = await countAddress(c.env, policy, address);
  if (count && !isForwarded) c.set("count", count);
  if (count?.admitted === false) throw tooManyRequests(secondsToReset(count));
}

/** True if a request has a signature (RFC 9421), right or wrong. */
export const claimsSignature = ({ req }: AddressedRequest): boolean => req.raw.headers.has("Signature-Input");

/**
 * Counts each request by its address before anything else. A claimed signature has the higher limit of agents, and also
 * counts as anonymous unless it proves its agent.
 */
export const countAgentAddress = createMiddleware<AppEnv>(async (c, next) => {
  const isSigned = claimsSignature(c);
  await limitAddress(c, isSigned ? "agent-address" : "anonymous");
  await next();
  if (isSigned && !c.get("isAgentProven")) await limitAddress(c, "anonymous");
});

/** Counts the request against the user's account, because shoppers of a storefront share the address of its server. */
export async function limitUser(c: Countable, { id }: UserCaller, policy: AddressPolicy): Promise<void> {
  const count = await countAccount(c.env, policy, hashSecret(`user:${id}`));
  if (count) c.set("count", count);
  if (count?.admitted === false) throw tooManyRequests(secondsToReset(count));
}

/** Counts the request against the account it concerns, by e-mail address. */
export async function limitAccount(c: { env: Env }, policy: AddressPolicy, email: string): Promise<void> {
  const count = await countAccount(c.env, policy, hashSecret(email));
  if (count?.admitted === false) throw tooManyRequests(secondsToReset(count));
}

/** Admits only users, for things that belong to a person, and apps with the scope. */
export const allowUserOrApp = (scope: ShopperScope | undefined) =>
  gate(
    { permission: null, users: "everybody", anonymous: false },
    (caller) => {
      if (caller.kind === "api_key")
        throw wrongCaller("user_token_required", "This requires a user token, because an API key has no account");
      requireScope(caller, scope);
      return caller;
    },
    { message: "Send a user token: Authorization: Bearer <token>" },
  );

/** Admits only users, and none of their apps. */
export const allowUser = allowUserOrApp(undefined);

/**
 * Admits API keys with the permission and users whose role includes it; if money moves, the write also checks
 * `whereMoneyMoves`.
 */
export const administer = (permission: Permission, whereMoneyMoves?: Permission, sandboxed?: SandboxMark) =>
  gate(
    { permission, whereMoneyMoves, users: rolesWith(permission), anonymous: false },
    (caller, c) => {
      requirePermission(caller, permission);
      requireLiveKey(c, caller, sandboxed);
      requireTwoFactor(c.var.settings, caller);
      return caller;
    },
    { message: LOG_IN, scope: permission },
  );

/** Admits staff for their own things. API keys are refused. */
export const staff = gate({ permission: null, users: roles.filter(isStaff), anonymous: false }, (caller, c) => {
  if (caller.kind !== "user" || !isStaff(caller.role))
    throw wrongCaller("staff_only", "This is only available to staff");
  requireTwoFactor(c.var.settings, caller);
  return caller;
});

/** Admits only administrators: no permission or other role gives access to keys or the audit log. */
export const administrators = gate({ permission: null, users: ["admin"], anonymous: false }, (caller, c) => {
  if (caller.kind !== "user" || caller.role !== "admin")
    throw wrongCaller("administrators_only", "This is only available to administrators");
  requireTwoFactor(c.var.settings, caller);
  return caller;
});

/** Contents of `c.env` and `c.var` on every route. A route's gate adds `c.var.caller`. */
export type AppEnv = {
  Bindings: Env;
  Variables: {
    requestId: string;
    settings: Settings;
    db: Database;
    /** The sender of the credential. Handlers use the `caller` admitted by their gate. */
    identity: Caller;
    /** When the credential was verified. Unset without a credential. */
    identifiedAt: number | undefined;
    /** The shop's name, on pages that customers see. */
    shopName: string | undefined;
    /** Language of a page that customers see. Unset for English. */
    language: Language | undefined;
    /** Links to the shop's own pages, on pages that customers see. */
    shopLinks: { href: string; title: string }[] | undefined;
    /** Set on catalogue reads: whether the response came from the cache. */
    cache: "hit" | "miss" | undefined;
    /** True once the signature of a request proved its agent. */
    isAgentProven: boolean | undefined;
    /** Set if a tool was refused for want of a shopper's token. */
    challenge: ApiError | undefined;
    /** Set on changes of a resource: reads it as its own GET shows it to the caller. Undefined if the path has none. */
    readStored: ReadsStored["readStored"];
    /** Set once the request is counted. */
    count: Count | undefined;
  };
};
