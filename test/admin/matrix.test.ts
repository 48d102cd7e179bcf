import { describe, expect, it } from "vitest";
import { app } from "../../src/app.ts";
import { permissions, permits } from "../../src/platform/auth/roles.ts";
import { type Role, roles } from "../../src/platform/db/schema.ts";
import { call } from "../support/call.ts";
import { documentedPermissions } from "../support/documented-permissions.ts";
import { aKey, aUser } from "../support/shop.ts";
import { adminEndpoints } from "./endpoints/index.ts";

/** Roles that may call a route with a permission. Routes without one that keys can hold are for administrators. */
const rolesWith: Record<string, Role[]> = {
  "products:read": ["viewer", "catalogue", "support", "admin"],
  "products:write": ["catalogue", "admin"],
  "discounts:read": ["viewer", "catalogue", "support", "admin"],
  "discounts:write": ["catalogue", "admin"],
  "files:read": ["viewer", "catalogue", "support", "admin"],
  "files:write": ["catalogue", "admin"],
  "packages:read": ["viewer", "support", "admin"],
  "packages:write": ["support", "admin"],
  "orders:read": ["viewer", "support", "admin"],
  "orders:write": ["support", "admin"],
  "users:read": ["viewer", "support", "admin"],
  "users:write": ["support", "admin"],
  "payments:write": ["support", "admin"],
  "events:read": ["viewer", "admin"],
  "webhooks:read": ["viewer", "admin"],
  "webhooks:write": ["admin"],
  "settings:read": ["viewer", "catalogue", "support", "admin"],
  "settings:write": ["admin"],
  "jobs:read": ["viewer", "catalogue", "support", "admin"],
  "jobs:write": ["catalogue", "support", "admin"],
  "metrics:read": ["viewer", "admin"],
  none: ["admin"],
};

const staff: Role[] = ["viewer", "catalogue", "support", "admin"];

it("covers every route of the administrator's API", async () => {
  const routes = (await app.routes())
    .filter(({ method, path }) => method !== "ALL" && path.startsWith("/api/v1/admin/"))
    .map(({ method, path }) => `${method} ${path.slice("/api/v1/admin".length)}`);
  expect(new Set(Object.keys(adminEndpoints))).toEqual(new Set(routes));
});

it("is documented, route by route, with the permission that a key needs", () => {
  const permissionOf = Object.entries(adminEndpoints).map(([line, { permission }]) => [
    line,
    permission === "staff" ? null : permission,
  ]);
  expect(documentedPermissions("/api/v1/admin")).toEqual(Object.fromEntries(permissionOf));
});

const people = new Map<Role, { user: ReturnType<typeof aUser>; requests: number }>();

/** Refused callers leave no trace but a counted request. New ones take over now and then, as one may not send many a minute. */
function somebody(role: Role): ReturnType<typeof aUser> {
  const known = people.get(role);
  if (known && known.requests++ < 50) return known.user;
  const user = aUser({ role });
  people.set(role, { user, requests: 1 });
  return user;
}

describe.each(Object.entries(adminEndpoints))("%s", (line, { permission, also, status, request }) => {
  /** The permission that a key needs. Null if no key may call it. */
  const needed = permission === "staff" ? null : permission;

  const send = ({ path, ...sent }: Awaited<ReturnType<typeof request>>, as?: string) =>
    call(`${line.split(" ")[0]} /admin${path}`, { as, ...sent });

  /** One record that all refused callers ask for. It stays as long as nobody reaches it. */
  let kept: ReturnType<typeof request> | undefined;
  const askInVain = async (as?: string) => {
    kept ??= request();
    return send(await kept, as);
  };

  it("is 401 without a credential", async () => {
    const answer = await askInVain();
    expect(answer.status).toBe(401);
    expect(answer.headers.get("WWW-Authenticate")).toMatch(/^Bearer/);
  });

  it.each(roles)("is answered for the role %s if that holds the permission, and else 403", async (role) => {
    const holds = (each: string) => rolesWith[each]?.includes(role) ?? false;
    const isOpen =
      (permission === "staff" ? staff.includes(role) : holds(permission ?? "none")) &&
      (also === undefined || holds(also));
    const { id, token } = await (isOpen ? aUser({ role }) : somebody(role));
    const answer = isOpen ? await send(await request(id), token) : await askInVain(token);
    expect(answer.status, JSON.stringify(answer.body)).toBe(isOpen ? status : 403);
    if (!isOpen && permission === "staff") expect(answer.body.code).toBe("staff_only");
    else if (!isOpen && permission)
      expect(answer.body).toMatchObject({
        code: "insufficient_scope",
        details: [{ permission: holds(permission) ? also : permission }],
      });
    if (!isOpen && !permission) expect(answer.body.code).toBe("administrators_only");
  });

  it("is 403 for an API key that holds every permission but the needed one", async () => {
    const granted = permissions.filter((each) => needed === null || !permits([each], needed));
    const answer = await askInVain((await aKey({ permissions: granted })).key);
    expect(answer.status).toBe(403);
    if (needed) expect(answer.body.message).toContain(needed);
  });

  it("answers an API key that holds just that permission, where one can", async () => {
    const { key } = await aKey({ permissions: [needed ?? "write", ...(also ? [also] : [])] });
    const answer = needed ? await send(await request(), key) : await askInVain(key);
    expect(answer.status, JSON.stringify(answer.body)).toBe(needed ? status : 403);
  });
});
