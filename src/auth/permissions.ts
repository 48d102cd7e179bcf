export const resources = ["products", "orders", "users", "files", "carts"] as const;

type Action = "read" | "write";

/** What a route needs of an API key. */
export type Permission = `${(typeof resources)[number]}:${Action}`;

/** What a key may be given: a permission, or a bare action that covers every resource. */
export const grants = ["read", "write", ...resources.flatMap((name) => [`${name}:read`, `${name}:write`])];

/** Whether `granted` covers `needed`. Anything it does not know it does not grant. */
export function permits(granted: readonly string[], needed: Permission): boolean {
  const action = needed.slice(needed.indexOf(":") + 1);
  return granted.includes(needed) || granted.includes(action);
}
