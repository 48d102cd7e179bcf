import { createMiddleware } from "hono/factory";
import { tooManyRequests, unauthorized, wrongCaller } from "../../domain/errors.ts";
import { roles } from "../db/tables/users.ts";
import { describeRoute } from "../http/route-description.ts";
import { countAccount, countAddress } from "../rate-limit/address-limiter.ts";
import { secondsToReset } from "../rate-limit/headers.ts";
import type { Count } from "../rate-limit/limiter.ts";
import type { AddressPolicy } from "../rate-limit/policies.ts";
import type { Settings } from "../settings/settings.ts";
import type { AppEnv } from "./app-env.ts";
import { type ApiKeyCaller, type Caller, requirePermission, type UserCaller } from "./caller.ts";
import { type AddressedRequest, clientAddress } from "./client-address.ts";
import { isStaff, type Permission, rolesWith } from "./roles.ts";
import { hashSecret } from "./secrets.ts";

// A gate is the second word of a route's line: it says who may, and hands the handler a caller of just those kinds.

type Gated<C extends Caller> = AppEnv & { Variables: { caller: C } };

const LOG_IN = "Send an API key or a user token: Authorization: Bearer <credential>";

/** Users, and API keys that hold the permission. */
export const allow = (permission: Permission) =>
  describeRoute(
    createMiddleware<Gated<ApiKeyCaller | UserCaller>>(async (c, next) => {
      const caller = c.get("identity");
      if (caller.kind === "anonymous") throw unauthorized("unauthorized", LOG_IN);
      if (caller.kind === "api_key") requirePermission(caller, permission);
      c.set("caller", caller);
      await next();
    }),
    { access: { permission, users: "everybody", anonymous: false } },
  );

/** Where a caller's own limit is not enough: they try passwords, make accounts, and have e-mails sent. */
const COUNTS_EVERYBODY: ReadonlySet<AddressPolicy> = new Set(["sign-in", "recovery"]);

/**
 * As `allow`, and callers without a credential, whose address is counted under `policy`; undefined lets none in. Where
 * passwords are tried or accounts are made, users are counted by address too, since a token is soon had, and so are the
 * shoppers whose address a server passes on.
 */
export const allowAnyone = (
  permission: Permission,
  policy: AddressPolicy | ((settings: Settings) => AddressPolicy | undefined),
) =>
  describeRoute(
    createMiddleware<Gated<Caller>>(async (c, next) => {
      const caller = c.get("identity");
      const counted = typeof policy === "function" ? policy(c.get("settings")) : policy;
      if (caller.kind === "anonymous" && !counted) throw unauthorized("unauthorized", LOG_IN);
      if (counted && (caller.kind === "anonymous" || COUNTS_EVERYBODY.has(counted))) await limitAddress(c, counted);
      if (caller.kind === "api_key") requirePermission(caller, permission);
      c.set("caller", caller);
      await next();
    }),
    { access: { permission, users: "everybody", anonymous: true } },
  );

type Countable = AddressedRequest & { env: Env; set: (name: "count", count: Count) => void };

/** Counts the request against its address, and refuses it when the policy has no more. A server's own does not count. */
export async function limitAddress(c: Countable, policy: AddressPolicy): Promise<void> {
  const address = clientAddress(c);
  const isServer = c.var.identity?.kind === "api_key";
  if (isServer && address === undefined) return;
  const count = await countAddress(c.env, policy, address);
  if (count && !isServer) c.set("count", count);
  if (count?.admitted === false) throw tooManyRequests(secondsToReset(count));
}

/** Counts the request against the account that it is about, by its e-mail address. */
export async function limitAccount(c: { env: Env }, policy: AddressPolicy, email: string): Promise<void> {
  const count = await countAccount(c.env, policy, hashSecret(email));
  if (count?.admitted === false) throw tooManyRequests(secondsToReset(count));
}

/** Users alone: what is asked for belongs to a person, and an API key is none. */
export const allowUser = describeRoute(
  createMiddleware<Gated<UserCaller>>(async (c, next) => {
    const caller = c.get("identity");
    if (caller.kind === "anonymous")
      throw unauthorized("unauthorized", "Send a user token: Authorization: Bearer <token>");
    if (caller.kind === "api_key") {
      throw wrongCaller("user_token_required", "This needs a user token: an API key has no account of its own");
    }
    c.set("caller", caller);
    await next();
  }),
  { access: { permission: null, users: "everybody", anonymous: false } },
);

/** API keys that hold the permission, and users whose role does; where money moves, also `whereMoneyMoves`, which the write checks. */
export const administer = (permission: Permission, whereMoneyMoves?: Permission) =>
  describeRoute(
    createMiddleware<Gated<ApiKeyCaller | UserCaller>>(async (c, next) => {
      const caller = c.get("identity");
      if (caller.kind === "anonymous") throw unauthorized("unauthorized", LOG_IN);
      requirePermission(caller, permission);
      c.set("caller", caller);
      await next();
    }),
    { access: { permission, whereMoneyMoves, users: rolesWith(permission), anonymous: false } },
  );

/** Members of staff, each for what is their own; an API key is nobody. */
export const staff = describeRoute(
  createMiddleware<Gated<UserCaller>>(async (c, next) => {
    const caller = c.get("identity");
    if (caller.kind === "anonymous") throw unauthorized("unauthorized", LOG_IN);
    if (caller.kind !== "user" || !isStaff(caller.role)) throw wrongCaller("staff_only", "This is for staff");
    c.set("caller", caller);
    await next();
  }),
  { access: { permission: null, users: roles.filter(isStaff), anonymous: false } },
);

/** Administrators alone: no permission lets an API key, and no other role lets a user reach keys or the audit log. */
export const administrators = describeRoute(
  createMiddleware<Gated<UserCaller>>(async (c, next) => {
    const caller = c.get("identity");
    if (caller.kind === "anonymous") throw unauthorized("unauthorized", LOG_IN);
    if (caller.kind !== "user" || caller.role !== "admin") {
      throw wrongCaller("administrators_only", "This is only available to administrators");
    }
    c.set("caller", caller);
    await next();
  }),
  { access: { permission: null, users: ["admin"], anonymous: false } },
);
