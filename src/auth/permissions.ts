export const resources = ["products", "orders", "users", "files", "carts"] as const;

type Action = "read" | "write";

/** What a route needs of an API key. */
export type Permission = `${(typeof resources)[number]}:${Action}`;

/** Everything that an API key can be granted. */
export const permissions = ["read", "write", ...resources.flatMap((name) => [`${name}:read`, `${name}:write`])];

/**
 * Whether `granted` covers `needed`: a bare `read` or `write` covers every resource. What it does not know it does not
 * grant.
 */
export function permits(granted: readonly string[], needed: Permission): boolean {
  const action = needed.slice(needed.indexOf(":") + 1);
  return granted.includes(needed) || granted.includes(action);
}
