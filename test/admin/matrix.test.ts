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

/** Backups are named by their time. */
const hasId = (line: string) => line.includes("/:id") && !line.includes("/backups/");

it.each(Object.entries(adminEndpoints))(
  "%s is allowed for roles and keys with the permission, 401 without a credential, 403 otherwise, and 404 for an unknown id",
  async (line, { permission, also, status, request }) => {
    /** The permission that a key needs. Null if no key may call the route. */
    const needed = permission === "staff" ? null : permission;
    const method = line.split(" ")[0];

    const send = ({ path, ...sent }: Awaited<ReturnType<typeof request>>, as?: string) =>
      call(`${method} /admin${path}`, { as, ...sent });

    const holds = (role: Role, each: string) => rolesWith[each]?.includes(role) ?? false;
    const isOpen = (role: Role) =>
      (permission === "staff" ? staff.includes(role) : holds(role, permission ?? "none")) &&
      (also === undefined || holds(role, also));
    const [first = "admin", ...others] = roles.filter(isOpen);
    const opener = await somebody(first);

    /** One record for all refused callers, which stays as it is until the first caller is allowed. */
    const kept = await request(opener.id);

    const unknown = await send(kept);
    expect(unknown.status, "no credential").toBe(401);
    expect(unknown.headers.get("WWW-Authenticate")).toMatch(/^Bearer/);

    for (const role of roles.filter((each) => !isOpen(each))) {
      const { status: refused, body } = await send(kept, (await somebody(role)).token);
      expect(refused, `${role}: ${JSON.stringify(body)}`).toBe(403);
      if (permission === "staff" && !staff.includes(role)) expect(body.code, role).toBe("staff_only");
      else if (!permission) expect(body.code, role).toBe("administrators_only");
      else
        expect(body, role).toMatchObject({
          code: "insufficient_scope",
          details: [{ permission: permission === "staff" || holds(role, permission) ? also : permission }],
        });
    }

    const without = permissions.filter((each) => needed === null || !permits([each], needed));
    const refused = await send(kept, (await aKeyWith(without)).key);
    expect(refused.status, "a key with every other permission").toBe(403);
    if (needed) expect(refused.body.message).toContain(needed);

    if (hasId(line)) {
      const none = { ...kept, path: kept.path.replace(/\d+/, "987654321") };
      const missing = await send(none, (await somebody("admin")).token);
      expect([missing.status, missing.body.code]).toEqual([404, "not_found"]);
    }

    /** A request for one more allowed caller. What was only read is there for all of them. */
    const another = (id?: number) => (method === "GET" ? kept : request(id));
    const allowed = await send(kept, opener.token);
    expect(allowed.status, `${first}: ${JSON.stringify(allowed.body)}`).toBe(status);
    for (const role of isFirstOfPermission(line) ? others : []) {
      const { id, token } = await somebody(role);
      const more = await send(await another(id), token);
      expect(more.status, `${role}: ${JSON.stringify(more.body)}`).toBe(status);
    }

    const { key } = await aKeyWith([needed ?? "write", ...(also ? [also] : [])]);
    const answer = await send(needed ? await another() : kept, key);
    const context = `a key with just that permission: ${JSON.stringify(answer.body)}`;
    expect(answer.status, context).toBe(needed ? status : 403);
  },
);
