import { expect, it } from "vitest";
import { app } from "../../src/app.ts";
import { permissions, permits } from "../../src/platform/auth/roles.ts";
import { type Role, roles } from "../../src/platform/db/schema.ts";
import { call } from "../support/call.ts";
import { shared } from "../support/callers.ts";
import { documentedPermissions } from "../support/documented-permissions.ts";
import { aKey, aUser } from "../support/shop.ts";
import { adminEndpoints } from "./endpoints/index.ts";

/** Roles that may call a route with a permission. Routes whose permission no key can hold are for administrators. */
const rolesWith: Record<string, Role[]> = {
  "products:read_all": ["viewer", "catalogue", "support", "admin"],
  "products:write": ["catalogue", "admin"],
  "discounts:read": ["viewer", "catalogue", "support", "admin"],
  "discounts:write": ["catalogue", "admin"],
  "files:read_all": ["viewer", "catalogue", "support", "admin"],
  "files:write": ["catalogue", "admin"],
  "packages:read": ["viewer", "support", "admin"],
  "packages:write": ["support", "admin"],
  "orders:read": ["viewer", "support", "admin"],
  "orders:write": ["support", "admin"],
  "shipments:read": ["viewer", "packer", "support", "admin"],
  "shipments:write": ["packer", "support", "admin"],
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

const staff: Role[] = ["viewer", "catalogue", "packer", "support", "admin"];

it("covers every route of the admin API", async () => {
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

/** Callers of one kind, shared by all routes. Their requests leave nothing behind that could affect another request. */
const people = new Map<Role, () => ReturnType<typeof aUser>>();
const keys = new Map<string, () => ReturnType<typeof aKey>>();

function somebody(role: Role) {
  const known = people.get(role) ?? shared(() => aUser({ role }));
  people.set(role, known);
  return known();
}

function aKeyWith(granted: string[]) {
  const name = granted.join();
  const known = keys.get(name) ?? shared(() => aKey({ permissions: granted }));
  keys.set(name, known);
  return known();
}

const neededBy = (line: string) => [adminEndpoints[line]?.permission, adminEndpoints[line]?.also].join();

/** The first route of each permission shows all roles that hold it. Others are called by the first of these roles. */
const isFirstOfPermission = (line: string) =>
  Object.keys(adminEndpoints).find((other) => neededBy(other) === neededBy(line)) === line;

it.each(Object.entries(adminEndpoints))(
  "%s is allowed for roles and keys with the permission, 401 without a credential, and 403 otherwise",
  async (line, { permission, also, status, request }) => {
    /** The permission that a key needs. Null if no key may call the route. */
    const needed = permission === "staff" ? null : permission;

    const send = ({ path, ...sent }: Awaited<ReturnType<typeof request>>, as?: string) =>
      call(`${line.split(" ")[0]} /admin${path}`, { as, ...sent });

    /** One record for all refused callers. It is unaffected as long as every request is refused. */
    const kept = await request();

    const unknown = await send(kept);
    expect(unknown.status, "no credential").toBe(401);
    expect(unknown.headers.get("WWW-Authenticate")).toMatch(/^Bearer/);

    let isShown = false;
    for (const role of roles) {
      const holds = (each: string) => rolesWith[each]?.includes(role) ?? false;
      const isOpen =
        (permission === "staff" ? staff.includes(role) : holds(permission ?? "none")) &&
        (also === undefined || holds(also));
      if (isOpen && isShown) continue;
      isShown = isOpen && !isFirstOfPermission(line);
      const { id, token } = await somebody(role);
      const answer = await send(isOpen ? await request(id) : kept, token);
      expect(answer.status, `${role}: ${JSON.stringify(answer.body)}`).toBe(isOpen ? status : 403);
      if (permission === "staff" && !staff.includes(role)) expect(answer.body.code, role).toBe("staff_only");
      else if (!isOpen && permission)
        expect(answer.body, role).toMatchObject({
          code: "insufficient_scope",
          details: [{ permission: permission === "staff" || holds(permission) ? also : permission }],
        });
      if (!isOpen && !permission) expect(answer.body.code, role).toBe("administrators_only");
    }

    const others = permissions.filter((each) => needed === null || !permits([each], needed));
    const refused = await send(kept, (await aKeyWith(others)).key);
    expect(refused.status, "a key with every other permission").toBe(403);
    if (needed) expect(refused.body.message).toContain(needed);

    const { key } = await aKeyWith([needed ?? "write", ...(also ? [also] : [])]);
    const answer = await send(needed ? await request() : kept, key);
    const context = `a key with just that permission: ${JSON.stringify(answer.body)}`;
    expect(answer.status, context).toBe(needed ? status : 403);
  },
);

/** Backups are named by their time. */
const withIds = Object.keys(adminEndpoints).filter((line) => line.includes("/:id") && !line.includes("/backups/"));

it.each(withIds)("%s is 404 for an id that does not exist", async (line) => {
  const { id, token: as } = await somebody("admin");
  const { path, ...sent } = (await adminEndpoints[line]?.request(id)) ?? expect.unreachable();
  const answer = await call(`${line.split(" ")[0]} /admin${path.replace(/\d+/, "987654321")}`, { as, ...sent });
  expect([answer.status, answer.body.code]).toEqual([404, "not_found"]);
});
