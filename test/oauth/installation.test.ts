import { eq } from "drizzle-orm";
import { describe, expect, it, vi } from "vitest";
import * as tables from "../../src/platform/db/schema.ts";
import { call, ORIGIN } from "../support/call.ts";
import { request, rpc } from "../support/mcp.ts";
import { anAdministrator, fieldsOf } from "../support/panel.ts";
import { aProduct, db } from "../support/shop.ts";
import {
  aDescribedClient,
  anInstalledApp,
  aProof,
  aRegisteredClient,
  askFor,
  consent,
  exchange,
  postForm,
  refresh,
  returnOf,
  STAFF,
} from "./support.ts";

const MINUTE = 60_000;

const installationsOf = (clientId: string) =>
  db
    .select({ key: tables.apiKeys })
    .from(tables.apiKeys)
    .innerJoin(tables.apps, eq(tables.apps.id, tables.apiKeys.appId))
    .where(eq(tables.apps.clientId, clientId));

const products = (as: string, cf?: { continent: string }) => call("GET /products", { as, ...(cf && { cf }) });

/** One region whose objects are in Europe, and one in North America. */
const REGIONS = [{ continent: "EU" }, { continent: "NA" }];

it("lets an app call the API with the permissions that an administrator chose, and no others", async () => {
  const clientId = await aRegisteredClient({ name: "Stock Keeper" });
  const admin = await anAdministrator();
  const { verifier, challenge } = aProof();
  const query = askFor(clientId, { scope: "products:read products:write orders:read", code_challenge: challenge });
  const code = await consent(admin, query, { permissions: ["products:read", "products:write"] });
  const { status, body } = await exchange({ client_id: clientId, code, code_verifier: verifier });
  expect(status).toBe(200);
  expect(body).toEqual({
    access_token: expect.stringMatching(/^sfk_app_[0-9A-Za-z]{33}$/),
    token_type: "Bearer",
    expires_in: 3600,
    refresh_token: expect.stringMatching(/^sfa_/),
    scope: "products:read products:write",
  });
  const product = await aProduct();
  const change = { as: body.access_token, body: { name: "Renamed by an app" } };
  expect((await call(`PUT /admin/products/${product.id}`, change)).status).toBe(200);
  const refused = await call("GET /admin/orders", { as: body.access_token });
  expect(refused.status).toBe(403);
  expect(refused.headers.get("WWW-Authenticate")).toContain('error="insufficient_scope", scope="shipments:read"');

  const [{ key } = { key: null }] = await installationsOf(clientId);
  expect(key).toMatchObject({ name: "app:Stock Keeper", permissions: ["products:read", "products:write"] });
  const written = await db
    .select()
    .from(tables.auditLog)
    .where(eq(tables.auditLog.actor, `api_key:${key?.id}`));
  expect(written).toMatchObject([{ action: "product.update", subjectId: product.id }]);
  const { html } = await admin.get("/admin/audit-log");
  expect(html).toContain("app:Stock Keeper");
});

it("returns a code once, with the state and the issuer, and never caches tokens", async () => {
  const clientId = await aDescribedClient();
  const admin = await anAdministrator();
  const shown = await admin.get(STAFF + askFor(clientId));
  expect(shown.html).toContain("127.0.0.1");
  expect(shown.html).toContain("Nobody has verified the name");
  const done = await admin.post(STAFF, fieldsOf(shown, STAFF));
  const returned = returnOf(done);
  expect(returned.origin + returned.pathname).toBe("https://app.example/callback");
  expect(Object.fromEntries(returned.searchParams)).toEqual({
    code: expect.stringMatching(/^sfc_/),
    state: "s t&te",
    iss: ORIGIN,
  });
  const { answer } = await anInstalledApp();
  expect(answer.headers.get("Cache-Control")).toBe("no-store");
});

it("is installed once by an administrator who agrees in two windows at once", async () => {
  const { get, post } = await anAdministrator();
  const clientId = await aRegisteredClient();
  const pages = await Promise.all([get(STAFF + askFor(clientId)), get(STAFF + askFor(clientId))]);
  const sent = await Promise.all(pages.map((page) => post(STAFF, fieldsOf(page, STAFF))));
  for (const { status } of sent) expect([200, 409]).toContain(status);
  expect(await installationsOf(clientId)).toHaveLength(1);
});

it("asks for the password before it installs anything", async () => {
  const { get, post } = await anAdministrator();
  const clientId = await aRegisteredClient();
  const shown = await get(STAFF + askFor(clientId));
  vi.useFakeTimers({ now: Date.now() + 15 * MINUTE, toFake: ["Date"] });
  const asked = await post(STAFF, fieldsOf(shown, STAFF));
  vi.useRealTimers();
  expect(asked.status).toBe(403);
  expect(asked.html).toContain("Confirm your identity");
  expect(await installationsOf(clientId)).toEqual([]);
});

it("is only for administrators", async () => {
  const { get, post } = await anAdministrator({ role: "support" });
  const query = askFor(await aRegisteredClient());
  expect((await get(STAFF + query)).status).toBe(403);
  expect((await post(STAFF, Object.fromEntries(new URLSearchParams(query)))).status).toBe(403);
});

describe("a token", () => {
  it("is refused in every region at the next request after the app is removed", async () => {
    const app = await anInstalledApp();
    for (const cf of REGIONS) expect((await products(app.token, cf)).status).toBe(200);
    const [{ key } = { key: null }] = await installationsOf(app.clientId);
    const page = await app.admin.get(`/admin/apps/${key?.id}`);
    const removed = await app.admin.post(
      `/admin/apps/${key?.id}/remove`,
      fieldsOf(page, `/admin/apps/${key?.id}/remove`),
    );
    expect(removed.location).toBe("/admin/apps");
    for (const cf of REGIONS) {
      const { status, body } = await products(app.token, cf);
      expect([status, body.message]).toEqual([401, "The app was removed"]);
    }
    expect(await refresh(app.clientId, app.refreshToken)).toMatchObject({
      status: 400,
      body: { error: "invalid_grant" },
    });
    expect((await app.admin.get(`/admin/apps/${key?.id}`)).status).toBe(404);
    expect(
      await db
        .select()
        .from(tables.appTokens)
        .where(eq(tables.appTokens.apiKeyId, key?.id ?? 0)),
    ).toEqual([]);
  });

  it("loses a permission at the next request after an administrator removes it", async () => {
    const app = await anInstalledApp({ scope: "products:read orders:read" });
    for (const cf of REGIONS) expect((await call("GET /admin/orders", { as: app.token, cf })).status).toBe(200);
    const [{ key } = { key: null }] = await installationsOf(app.clientId);
    const path = `/admin/apps/${key?.id}`;
    const page = await app.admin.get(path);
    const saved = await app.admin.post(path, { ...fieldsOf(page, path), permissions: ["products:read"] });
    expect(saved.location).toBe(path);
    for (const cf of REGIONS) {
      expect((await call("GET /admin/orders", { as: app.token, cf })).status).toBe(403);
      expect((await products(app.token, cf)).status).toBe(200);
    }
  });

  it("shares the exact limit of its installation with its other tokens, over two regions", async () => {
    const admin = await anAdministrator();
    const clientId = await aRegisteredClient();
    const one = await anInstalledApp({ staff: admin, clientId });
    const other = await anInstalledApp({ staff: admin, clientId });
    const statuses: number[] = [];
    for (let sent = 0; sent < 104; sent++) {
      const [token, cf] = sent % 2 === 0 ? [one.token, REGIONS[0]] : [other.token, REGIONS[1]];
      statuses.push((await products(token, cf)).status);
    }
    expect(statuses.filter((status) => status === 200)).toHaveLength(100);
    expect(statuses.slice(100)).toEqual([429, 429, 429, 429]);
  });

  it("is only valid for the resource that it was asked for", async () => {
    const forMcp = await anInstalledApp({ scope: "products:read_all", resource: "/mcp/admin" });
    const list = request("tools/list");
    expect((await rpc("/mcp/admin", forMcp.token, list)).status).toBe(200);
    expect((await products(forMcp.token)).status).toBe(401);
    const forApi = await anInstalledApp();
    expect((await products(forApi.token)).status).toBe(200);
    const refused = await rpc("/mcp/admin", forApi.token, list);
    expect([refused.status, refused.body.message]).toEqual([401, "The access token is only for /api/v1"]);
  });

  it("ends with all that belongs to it when the app revokes it", async () => {
    const app = await anInstalledApp();
    const again = await anInstalledApp({ staff: app.admin, clientId: app.clientId });
    const stranger = await aRegisteredClient();
    expect((await postForm("/oauth/revoke", { client_id: stranger, token: app.refreshToken })).status).toBe(200);
    expect((await products(app.token)).status).toBe(200);
    const revoked = await postForm("/oauth/revoke", { client_id: app.clientId, token: app.refreshToken });
    expect([revoked.status, revoked.body]).toEqual([200, ""]);
    expect((await products(app.token)).status).toBe(401);
    expect((await products(again.token)).status).toBe(200);
    expect((await postForm("/oauth/revoke", { client_id: app.clientId, token: "unknown" })).status).toBe(200);
  });

  it("expires after an hour, and a refresh token after ninety days without use", async () => {
    const app = await anInstalledApp();
    vi.useFakeTimers({ now: Date.now() + 75 * MINUTE, toFake: ["Date"] });
    expect((await products(app.token)).body.message).toBe("The access token has expired");
    vi.useFakeTimers({ now: Date.now() + 91 * 24 * 60 * MINUTE, toFake: ["Date"] });
    expect((await refresh(app.clientId, app.refreshToken)).body.error).toBe("invalid_grant");
    vi.useRealTimers();
  });
});

describe("a refresh token", () => {
  it("is replaced at each use", async () => {
    const app = await anInstalledApp();
    const { status, body } = await refresh(app.clientId, app.refreshToken);
    expect(status).toBe(200);
    expect(body.refresh_token).not.toBe(app.refreshToken);
    for (const token of [app.token, body.access_token]) expect((await products(token)).status).toBe(200);
    const next = await refresh(app.clientId, body.refresh_token);
    expect((await products(next.body.access_token)).status).toBe(200);
    expect((await products(app.token)).status).toBe(401);
  });

  it("may be sent again at once, until its replacement is used", async () => {
    const app = await anInstalledApp();
    await refresh(app.clientId, app.refreshToken);
    const { status, body } = await refresh(app.clientId, app.refreshToken);
    expect(status).toBe(200);
    expect((await refresh(app.clientId, body.refresh_token)).status).toBe(200);
    expect((await refresh(app.clientId, app.refreshToken)).body.error).toBe("invalid_grant");
    expect((await refresh(app.clientId, body.refresh_token)).body.error).toBe("invalid_grant");
    expect((await products(body.access_token)).status).toBe(401);
  });

  it("that is sent twice at once leaves one successor, and ends nothing", async () => {
    const app = await anInstalledApp();
    const both = await Promise.all([refresh(app.clientId, app.refreshToken), refresh(app.clientId, app.refreshToken)]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    for (const { body } of both) expect((await products(body.access_token)).status).toBe(200);
    const next = [];
    for (const { body } of both) next.push((await refresh(app.clientId, body.refresh_token)).status);
    expect(next.sort()).toEqual([200, 400]);
  });

  it("ends its family when it comes back after it was replaced", async () => {
    const app = await anInstalledApp();
    const { body } = await refresh(app.clientId, app.refreshToken);
    vi.useFakeTimers({ now: Date.now() + MINUTE, toFake: ["Date"] });
    expect((await refresh(app.clientId, app.refreshToken)).body.error).toBe("invalid_grant");
    vi.useRealTimers();
    for (const token of [app.token, body.access_token]) expect((await products(token)).status).toBe(401);
    expect((await refresh(app.clientId, body.refresh_token)).body.error).toBe("invalid_grant");
  });

  it("is only for the client and the resource that it was issued to", async () => {
    const app = await anInstalledApp();
    expect((await refresh(await aRegisteredClient(), app.refreshToken)).body.error).toBe("invalid_grant");
    const elsewhere = await refresh(app.clientId, app.refreshToken, { resource: `${ORIGIN}/mcp/admin` });
    expect(elsewhere.body.error).toBe("invalid_target");
    expect((await refresh(app.clientId, app.refreshToken)).status).toBe(200);
  });
});

describe("an administrator who leaves the staff", () => {
  it("leaves installations behind that work and are listed for review, but gets no new ones", async () => {
    const leaver = await anAdministrator({ name: "Lea Ver" });
    const app = await anInstalledApp({ staff: leaver });
    const { verifier, challenge } = aProof();
    const waiting = await consent(leaver, askFor(app.clientId, { code_challenge: challenge }));
    await db.update(tables.users).set({ role: "customer" }).where(eq(tables.users.id, leaver.id));
    const late = await exchange({ client_id: app.clientId, code: waiting, code_verifier: verifier });
    expect(late).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
    expect((await products(app.token)).status).toBe(200);
    const { get } = await anAdministrator();
    const { html } = await get("/admin/apps");
    expect(html).toMatch(/Lea Ver.{0,80}no longer an administrator/);
  });
});

it("keeps apart what API keys and installations are changed by", async () => {
  const app = await anInstalledApp();
  const [{ key } = { key: null }] = await installationsOf(app.clientId);
  const admin = await anAdministrator();
  expect((await admin.get(`/admin/api-keys/${key?.id}`)).location).toBe(`/admin/apps/${key?.id}`);
  expect((await admin.get(`/admin/api-keys/${key?.id}/usage`)).status).toBe(404);
  expect((await admin.post(`/admin/api-keys/${key?.id}/rotate`, { grace_seconds: "0" })).status).toBe(404);
  expect((await admin.get("/admin/api-keys")).html).not.toContain("app:Mailer");
  expect((await products(app.token)).status).toBe(200);
});

it("answers a page that still shows the usage of an app while somebody removes the app", async () => {
  const app = await anInstalledApp();
  const [{ key } = { key: null }] = await installationsOf(app.clientId);
  const path = `/admin/apps/${key?.id}`;
  const remove = fieldsOf(await app.admin.get(path), `${path}/remove`);
  expect((await app.admin.post(`${path}/remove`, remove)).location).toBe("/admin/apps");
  expect((await app.admin.get(`${path}/usage`)).status).toBe(200);
  expect((await app.admin.get(path)).status).toBe(404);
  expect((await app.admin.get("/admin/apps/999999/usage")).status).toBe(404);
});

it("keeps one installation of an app for each administrator", async () => {
  const app = await anInstalledApp({ scope: "products:read" });
  await anInstalledApp({ staff: app.admin, clientId: app.clientId, scope: "orders:read" });
  await anInstalledApp({ clientId: app.clientId });
  const rows = await installationsOf(app.clientId);
  expect(rows.map(({ key }) => key.permissions)).toEqual([["orders:read"], ["products:read"]]);
});
