import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { insufficientScope } from "../../domain/errors.ts";
import type { Role, Tier } from "../db/schema.ts";
import type { Count } from "../rate-limit/limiter.ts";
import { isStaff, type Permission, permits, rolePermissions } from "./roles.ts";

export type ApiKeyCaller = {
  kind: "api_key";
  id: number;
  permissions: string[];
  tier: Tier;
  /** True for a test key, whose orders move no money. */
  test: boolean;
  /** True for a key with allowed origins. Web pages contain it, so its callers are not trusted to forward shoppers. */
  isPublic: boolean;
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
};
type AnonymousCaller = { kind: "anonymous" };

/** The caller. A route's gate narrows it to the admitted kinds. */
export type Caller = ApiKeyCaller | UserCaller | AnonymousCaller;

/** Name of a caller in logs and order history: "user:7", "api_key:3", "anonymous". */
export const callerName = (caller: Caller): string =>
  caller.kind === "anonymous" ? caller.kind : `${caller.kind}:${caller.id}`;

export const isAdministrator = (caller: Caller): boolean => caller.kind === "user" && caller.role === "admin";

/** True for a server with an API key that forwards the addresses of its shoppers. */
export const isServer = (caller: Caller | undefined): boolean => caller?.kind === "api_key" && !caller.isPublic;

/** True for a test key: see docs/api.md. */
export const isTestKey = (caller: Caller): boolean => caller.kind === "api_key" && caller.test;

/** True if a key was granted the permission, or a user's role includes it. */
export function may(caller: Caller, permission: Permission): boolean {
  if (caller.kind === "anonymous") return false;
  return permits(caller.kind === "api_key" ? caller.permissions : rolePermissions[caller.role], permission);
}

/** True for callers who may write products. Everyone else, including a storefront's key, sees active products only. */
export const seesDrafts = (caller: Caller): boolean => may(caller, "products:write");

/** True for staff, and for API keys that may write products. A storefront's key never sees what products cost the shop. */
export const seesCosts = (caller: Caller): boolean =>
  caller.kind === "user" ? isStaff(caller.role) : may(caller, "products:write");

export function requirePermission(caller: Caller, permission: Permission): void {
  if (may(caller, permission)) return;
  throw insufficientScope(caller.kind === "user" ? `The role ${caller.role}` : "The API key", permission);
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
