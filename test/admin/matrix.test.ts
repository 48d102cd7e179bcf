import { beforeAll, describe, expect, it } from "vitest";
import { app } from "../../src/app.ts";
import { permissions, permits } from "../../src/auth/permissions.ts";
import { type Role, roles } from "../../src/db/schema.ts";
import { call } from "../support/call.ts";
import { documentedRoutes } from "../support/documented-routes.ts";
import { aKey, aUser } from "../support/shop.ts";
import { adminEndpoints } from "./endpoints/index.ts";

/** Which roles may call what takes a permission; what takes none that a key could hold is for administrators. */
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
  none: ["admin"],
};

const tokens = new Map<Role, string>();

beforeAll(async () => {
  for (const role of roles) tokens.set(role, (await aUser({ role })).token);
});

it("covers every route of the administrator's API", async () => {
  const routes = (await app.routes())
    .filter(({ method, path }) => method !== "ALL" && path.startsWith("/api/v1/admin/"))
    .map(({ method, path }) => `${method} ${path.slice("/api/v1/admin".length)}`);
  expect(new Set(Object.keys(adminEndpoints))).toEqual(new Set(routes));
});

it("is documented, route by route, with the permission that a key needs", () => {
  const told = new Map(documentedRoutes().map(([line, permissions]) => [line.replace(" /admin", " "), permissions]));
  for (const [line, { permission }] of Object.entries(adminEndpoints)) {
    if (permission === null) expect(told.get(line)?.trim(), line).toBe("");
    else expect(told.get(line), line).toContain(permission);
  }
  const all = documentedRoutes().filter(([line]) => line.includes(" /admin/"));
  expect(all.map(([line]) => line.replace(" /admin", " ")).sort()).toEqual(Object.keys(adminEndpoints).sort());
});

describe.each(Object.entries(adminEndpoints))("%s", (line, { permission, status, request }) => {
  const ask = async (as?: string) => {
    const { path, ...sent } = await request();
    return call(`${line.split(" ")[0]} /admin${path}`, { as, ...sent });
  };

  it("is 401 without a credential", async () => {
    const answer = await ask();
    expect(answer.status).toBe(401);
    expect(answer.headers.get("WWW-Authenticate")).toMatch(/^Bearer/);
  });

  it.each(roles)("is answered for the role %s if that holds the permission, and else 403", async (role) => {
    const answer = await ask(tokens.get(role));
    const isOpen = rolesWith[permission ?? "none"]?.includes(role);
    expect(answer.status, JSON.stringify(answer.body)).toBe(isOpen ? status : 403);
    if (!isOpen && permission)
      expect(answer.body).toMatchObject({ code: "insufficient_scope", details: [{ permission }] });
    if (!isOpen && !permission) expect(answer.body.code).toBe("administrators_only");
  });

  it("is 403 for an API key that holds every permission but the needed one", async () => {
    const granted = permissions.filter((each) => permission === null || !permits([each], permission));
    const answer = await ask((await aKey({ permissions: granted })).key);
    expect(answer.status).toBe(403);
    if (permission) expect(answer.body.message).toContain(permission);
  });

  it("answers an API key that holds just that permission, where one can", async () => {
    const answer = await ask((await aKey({ permissions: [permission ?? "write"] })).key);
    expect(answer.status, JSON.stringify(answer.body)).toBe(permission ? status : 403);
  });
});
