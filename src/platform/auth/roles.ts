import type { Role } from "../db/schema.ts";
import { type Permission, permits } from "./permissions.ts";

/** What each role may do in the administration, in the words of API keys' permissions. */
export const rolePermissions: Record<Role, readonly string[]> = {
  customer: [],
  viewer: ["read"],
  catalogue: [
    "products:read",
    "products:write",
    "discounts:read",
    "discounts:write",
    "files:read",
    "files:write",
    "settings:read",
    "jobs:read",
    "jobs:write",
  ],
  support: [
    "orders:read",
    "orders:write",
    "users:read",
    "users:write",
    "packages:read",
    "packages:write",
    "payments:write",
    "products:read",
    "discounts:read",
    "files:read",
    "settings:read",
    "jobs:read",
    "jobs:write",
  ],
  admin: ["read", "write", "payments:read", "payments:write"],
};

/** Whether an account with the role signs in to the panel. */
export const isStaff = (role: Role): boolean => role !== "customer";

/** The roles that may do what takes the permission. */
export const rolesWith = (permission: Permission): string[] =>
  Object.entries(rolePermissions)
    .filter(([, granted]) => permits(granted, permission))
    .map(([role]) => role);
