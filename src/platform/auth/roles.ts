import type { Role } from "../db/schema.ts";

/** Permissions of each role, in the terms of API keys. */
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

/** Name of each role, and a sentence on its permissions, for people. */
export const roleWords: Record<Role, { label: string; about: string }> = {
  customer: { label: "Customer", about: "Shops and sees their own account. Has no access to the panel." },
  viewer: { label: "Viewer", about: "Sees products, orders, customers and reports, but cannot change anything." },
  catalogue: {
    label: "Catalogue",
    about: "Manages products, categories, discounts and files. Cannot see orders or customers.",
  },
  support: {
    label: "Support",
    about:
      "Manages orders and customers, and issues refunds up to the shop's limit. Sees products, but cannot change them.",
  },
  admin: { label: "Administrator", about: "Has full access, including staff, API keys and the shop's settings." },
};

/** The roles and their permissions, as Markdown for descriptions of the API. */
export const roleGuide = (which: readonly Role[]): string =>
  which.map((role) => `\n- \`${role}\`: ${roleWords[role].about}`).join("");

/** True if accounts with the role sign in to the panel. */
export const isStaff = (role: Role): boolean => role !== "customer";

/** Roles with the permission. */
export const rolesWith = (permission: Permission): string[] =>
  Object.entries(rolePermissions)
    .filter(([, granted]) => permits(granted, permission))
    .map(([role]) => role);

/**
 * `sessions`, `checkout` and `payments` are for keys with minimum permissions: `sessions` signs shoppers up, in and out,
 * `checkout` places guest orders and reads and cancels those of the same key, `payments` marks orders paid, refunds, and
 * credits wallets.
 */
export const resources = [
  "products",
  "discounts",
  "orders",
  "users",
  "files",
  "packages",
  "carts",
  "sessions",
  "checkout",
  "payments",
  "events",
  "webhooks",
  "settings",
  "jobs",
  "metrics",
] as const;

type Action = "read" | "write";

/** A permission that a route requires of an API key. */
export type Permission = `${(typeof resources)[number]}:${Action}`;

/** All permissions that can be granted to an API key. */
export const permissions = ["read", "write", ...resources.flatMap((name) => [`${name}:read`, `${name}:write`])];

/** The minimum permissions for a storefront's key; examples/storefront/README.md explains each. */
export const storefrontPermissions: Permission[] = [
  "products:read",
  "carts:read",
  "carts:write",
  "sessions:write",
  "checkout:read",
  "checkout:write",
];

/** Permissions included in a wider one. */
const includedIn: { [Needed in Permission]?: Permission } = {
  "sessions:write": "users:write",
  "checkout:read": "orders:read",
  "checkout:write": "orders:write",
};

/**
 * True if `granted` covers `needed`: by name, by a permission that includes it, or by a bare `read` or `write`, which covers
 * every resource except payments. Unknown permissions are not granted.
 */
export function permits(granted: readonly string[], needed: Permission): boolean {
  const [resource, action = ""] = needed.split(":");
  const wider = includedIn[needed];
  return (
    granted.includes(needed) ||
    (wider !== undefined && granted.includes(wider)) ||
    (resource !== "payments" && granted.includes(action))
  );
}
