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
  packer: ["shipments:read", "shipments:write"],
  support: [
    "orders:read",
    "orders:write",
    "users:read",
    "users:write",
    "packages:read",
    "packages:write",
    "payments:write",
    "products:read_all",
    "discounts:read",
    "files:read_all",
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
  packer: {
    label: "Packer",
    about: "Packs and ships orders. Sees delivery addresses and prices, but no e-mail addresses, payments or reports.",
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
 * `shipments` ships orders, which it reads without e-mail addresses. `sessions`, `checkout` and `payments` are for keys with
 * minimum permissions: `sessions` signs shoppers up, in and out, `checkout` places guest orders and reads and cancels those of
 * the same key, `payments` marks orders paid, refunds, and credits wallets.
 */
export const resources = [
  "products",
  "discounts",
  "orders",
  "shipments",
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

export type PermissionNoun = (typeof resources)[number];

/** A permission that a route requires of an API key. */
export type Permission = `${PermissionNoun}:${"read" | "write"}` | `${"products" | "files"}:read_all`;

/**
 * The permission to read a resource as staff see it. The `read` of products and files shows only what shoppers see, because
 * the keys of storefronts hold it.
 */
export const readAll = (resource: PermissionNoun): Permission =>
  resource === "products" || resource === "files" ? `${resource}:read_all` : `${resource}:read`;

const resourcePermissions = (name: PermissionNoun): Permission[] => [`${name}:read`, readAll(name), `${name}:write`];

/** All permissions that can be granted to an API key. */
export const permissions = [...new Set(["read", "write", ...resources.flatMap(resourcePermissions)])];

/** The minimum permissions for a storefront's key; examples/storefront/README.md explains each. */
export const storefrontPermissions: Permission[] = [
  "products:read",
  "carts:read",
  "carts:write",
  "sessions:write",
  "checkout:read",
  "checkout:write",
];

/** Permissions included in a wider one. Who may publish a draft or a file may read it. */
const includedIn: { [Needed in Permission]?: Permission } = {
  "products:read": "products:read_all",
  "products:read_all": "products:write",
  "files:read": "files:read_all",
  "files:read_all": "files:write",
  "sessions:write": "users:write",
  "shipments:read": "orders:read",
  "shipments:write": "orders:write",
  "checkout:read": "orders:read",
  "checkout:write": "orders:write",
};

/**
 * True if `granted` covers `needed`: by name, by a permission that includes it, or by a bare `read` or `write`, which covers
 * every resource except payments. Unknown permissions are not granted.
 */
export function permits(granted: readonly string[], needed: Permission): boolean {
  const [resource, action = ""] = needed.replace("_all", "").split(":");
  const wider = includedIn[needed];
  return (
    granted.includes(needed) ||
    (wider !== undefined && permits(granted, wider)) ||
    (resource !== "payments" && granted.includes(action))
  );
}

/** Permissions that each cover `needed` alone. */
export const permissionsFor = (needed: Permission): string[] => permissions.filter((held) => permits([held], needed));

/** Resources about money, credentials or customers, to which access is pointed out before it is given to an app. */
const sensitive: readonly string[] = [
  "payments",
  "sessions",
  "users",
  "orders",
  "shipments",
  "packages",
  "webhooks",
  "settings",
];

/** True for a permission that gives access to money, credentials or customers' data. */
export const isSensitive = (name: string): boolean =>
  name === "read" || name === "write" || sensitive.includes(name.slice(0, name.indexOf(":")));
