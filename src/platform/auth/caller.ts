import { insufficientScope } from "../../domain/errors.ts";
import type { AccountScope } from "../db/account-scope.ts";
import type { Role, Tier } from "../db/schema.ts";
import type { Count } from "../rate-limit/limiter.ts";
import { type Permission, permits, rolePermissions } from "./roles.ts";

export type ApiKeyCaller = { kind: "api_key"; id: number; permissions: string[]; tier: Tier };
export type UserCaller = {
  kind: "user";
  id: number;
  role: Role;
  sessionId: string;
  /** When they last showed a password or code. */
  authenticatedAt: number;
};
type AnonymousCaller = { kind: "anonymous" };

/** Who is asking. A route's gate narrows it to those it lets in. */
export type Caller = ApiKeyCaller | UserCaller | AnonymousCaller;

/** The name of a caller in logs and in an order's history: "user:7", "api_key:3", "anonymous". */
export const callerName = (caller: Caller): string =>
  caller.kind === "anonymous" ? caller.kind : `${caller.kind}:${caller.id}`;

export const isAdministrator = (caller: Caller): boolean => caller.kind === "user" && caller.role === "admin";

/** Whether a key was granted the permission, or a user's role has it. */
export function may(caller: Caller, permission: Permission): boolean {
  if (caller.kind === "anonymous") return false;
  return permits(caller.kind === "api_key" ? caller.permissions : rolePermissions[caller.role], permission);
}

/** Drafts are for those who may write products; everybody else, a storefront's key too, sees what is for sale. */
export const seesDrafts = (caller: Caller): boolean => may(caller, "products:write");

export function requirePermission(caller: Caller, permission: Permission): void {
  if (may(caller, permission)) return;
  throw insufficientScope(caller.kind === "user" ? `The role ${caller.role}` : "The API key", permission);
}

/** The accounts that a caller may read and change: those of staff are for administrators. */
export const accountScopeOf = (caller: UserCaller | ApiKeyCaller): AccountScope =>
  isAdministrator(caller) ? "everybody" : "customers";

/** Whether a credential is good, and if so for whom. */
export type Verification<C> = { valid: true; caller: C } | { valid: false; reason: string };

/** A verified credential and the count of its requests; `count` is null when no limiter answered. */
export type AuthResult<C> = { valid: true; caller: C; count: Count | null } | { valid: false; reason: string };
