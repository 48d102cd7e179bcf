import type { Tier } from "../db/schema.ts";
import { insufficientScope } from "../errors.ts";
import { type Permission, permits } from "./permissions.ts";

export type ApiKeyCaller = { kind: "api_key"; id: number; permissions: string[]; tier: Tier };
export type UserCaller = { kind: "user"; id: number; role: "customer" | "admin"; sessionId: string };
type AnonymousCaller = { kind: "anonymous" };

/** Who is asking. A route's gate narrows it to those it lets in. */
export type Caller = ApiKeyCaller | UserCaller | AnonymousCaller;

/** The name of a caller in logs and in an order's history: "user:7", "api_key:3", "anonymous". */
export const callerName = (caller: Caller): string =>
  caller.kind === "anonymous" ? caller.kind : `${caller.kind}:${caller.id}`;

/** Drafts are for those who may write products; everybody else, a storefront's key too, sees what is for sale. */
export const seesDrafts = (caller: Caller): boolean =>
  caller.kind === "api_key"
    ? permits(caller.permissions, "products:write")
    : caller.kind === "user" && caller.role === "admin";

/** Refuses an API key that lacks the permission. Users have none: what they may do is their role's. */
export function requirePermission(caller: Caller, permission: Permission): void {
  if (caller.kind === "api_key" && !permits(caller.permissions, permission)) {
    throw insufficientScope(permission);
  }
}
