import { beforeAll, describe, expect, it } from "vitest";
import { app } from "../../src/app.ts";
import { permissions, permits } from "../../src/auth/permissions.ts";
import { call } from "../support/call.ts";
import { documentedRoutes } from "../support/documented-routes.ts";
import { aKey, aUser } from "../support/shop.ts";
import { adminEndpoints } from "./endpoints/index.ts";

let admin: { token: string };
let customer: { token: string };

beforeAll(async () => {
  admin = await aUser({ role: "admin" });
  customer = await aUser();
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

  it("is 403 for a customer", async () => {
    expect((await ask(customer.token)).status).toBe(403);
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

  it("answers an administrator", async () => {
    const answer = await ask(admin.token);
    expect(answer.status, JSON.stringify(answer.body)).toBe(status);
  });
});
