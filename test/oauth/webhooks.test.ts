import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { expect, it, vi } from "vitest";
import { deleteExpiredGrants } from "../../src/integrations/apps/expire.ts";
import * as tables from "../../src/platform/db/schema.ts";
import { sent } from "../payments/support/stand-in.ts";
import { call } from "../support/call.ts";
import { aVisitor, fieldsOf } from "../support/panel.ts";
import { asAdministrator } from "../support/settings.ts";
import { aProduct, db } from "../support/shop.ts";
import { isVerified } from "../webhooks/support.ts";
import { AUTHORIZE, aConnectedApp, anInstalledApp, askFor, refresh } from "./support.ts";

const SCOPE = "products:read_all orders:read webhooks:read webhooks:write events:read";

/** An installed app with a webhook of its own. */
async function anAppWithWebhook(types = ["product.*", "order.*"]) {
  const app = await anInstalledApp({ scope: SCOPE });
  const name = crypto.randomUUID();
  const url = `${env.STRIPE_API_URL}/receive/${name}`;
  const { status, body } = await call("POST /admin/webhooks", { as: app.token, body: { url, types } });
  expect(status).toBe(201);
  const { id, secret } = body.data as { id: number; secret: string };
  const row = await db.select().from(tables.webhookEndpoints).where(eq(tables.webhookEndpoints.id, id)).get();
  const object = env.WEBHOOK_ENDPOINT.getByName(row?.key ?? "");
  const received = async () => {
    await object.nudge(id);
    await runInDurableObject(object, (endpoint) => endpoint.alarm());
    return sent(name, "POST /receive/");
  };
  const installation = row?.installationId ?? 0;
  return { ...app, id, secret, received, installation, path: `/admin/apps/${installation}` };
}

const typesIn = (requests: { body: string }[]): string[] => requests.map(({ body }) => JSON.parse(body).type);

it("shows an app its own webhooks only, and staff those of all apps", async () => {
  const [one, other] = [await anAppWithWebhook(), await anAppWithWebhook()];
  const listed = async (as: string) =>
    (await call("GET /admin/webhooks?per_page=100", { as })).body.data.map(({ id }: { id: number }) => id);
  expect(await listed(one.token)).toEqual([one.id]);
  expect(await listed(await asAdministrator())).toEqual(expect.arrayContaining([one.id, other.id]));
  expect((await call(`GET /admin/webhooks/${other.id}`, { as: one.token })).status).toBe(404);
  expect((await call(`DELETE /admin/webhooks/${other.id}`, { as: one.token })).status).toBe(404);
});

it("stops to send what the app may no longer read", async () => {
  const app = await anAppWithWebhook();
  await aProduct();
  expect(typesIn(await app.received())).toContain("product.created");
  const page = await app.admin.get(app.path);
  const permissions = ["orders:read", "webhooks:read"];
  const saved = await app.admin.post(app.path, { ...fieldsOf(page, app.path), permissions });
  expect(saved.location).toBe(app.path);
  const before = (await app.received()).length;
  await aProduct();
  expect(await app.received()).toHaveLength(before);
});

it("tells an app that it was removed, and nothing else from then on", async () => {
  const app = await anAppWithWebhook();
  const stranger = await anAppWithWebhook();
  const page = await app.admin.get(app.path);
  await app.admin.post(`${app.path}/remove`, fieldsOf(page, `${app.path}/remove`));
  await aProduct();
  const told = await app.received();
  const last = told.at(-1);
  expect(typesIn(told).filter((type) => type === "app.uninstalled")).toHaveLength(1);
  expect(JSON.parse(last?.body ?? "{}")).toMatchObject({
    type: "app.uninstalled",
    data: { client_id: app.clientId, installation_id: app.installation },
  });
  const headers = Object.fromEntries(Object.entries(last?.headers ?? {}).map(([name, value]) => [name, String(value)]));
  expect(isVerified(app.secret, { body: last?.body ?? "", headers })).toBe(true);
  expect(typesIn(await stranger.received())).not.toContain("app.uninstalled");

  const shown = await call(`GET /admin/webhooks/${app.id}`, { as: await asAdministrator() });
  expect(shown.status).toBe(404);
  vi.useFakeTimers({ now: Date.now() + 6 * 24 * 60 * 60_000, toFake: ["Date"] });
  await deleteExpiredGrants(env, db, Date.now());
  vi.useRealTimers();
  const left = db.select().from(tables.webhookEndpoints).where(eq(tables.webhookEndpoints.id, app.id));
  expect(await left).toEqual([]);
  expect(await db.select().from(tables.appCodes)).toEqual([]);
});

it("takes everything from an app that an administrator deletes, and tells it", async () => {
  const app = await anAppWithWebhook();
  const kept = await anInstalledApp({ staff: app.admin });
  const { token, refreshToken, shopper } = await aConnectedApp({ clientId: app.clientId });
  const row = await db.select().from(tables.apps).where(eq(tables.apps.clientId, app.clientId)).get();
  const path = `/admin/apps/registered/${row?.id}/block`;
  const list = await app.admin.get("/admin/apps/registered");
  expect((await app.admin.post(path, fieldsOf(list, path))).location).toBe("/admin/apps/registered");
  expect((await app.admin.get("/admin/apps/registered")).html).not.toContain(app.clientId);

  expect((await call("GET /products", { as: app.token })).status).toBe(401);
  expect((await call("GET /products", { as: kept.token })).status).toBe(200);
  for (const held of [app.refreshToken, refreshToken])
    expect((await refresh(app.clientId, held)).body.error).toBe("invalid_client");
  const { body } = await call("GET /account/sessions", { as: shopper.token });
  expect(body.data.map((session: { app: string | null }) => session.app)).toEqual([null]);
  expect((await aVisitor().get(AUTHORIZE + askFor(app.clientId, { scope: "profile" }))).status).toBe(401);
  expect(typesIn(await app.received()).at(-1)).toBe("app.uninstalled");
  expect((await app.admin.post(path, fieldsOf(list, path))).status).toBe(404);
  // The shopper's object remembers the session for a minute at most.
  vi.useFakeTimers({ now: Date.now() + 120_000, toFake: ["Date"] });
  expect((await call("GET /account/profile", { as: token })).status).toBe(401);
  vi.useRealTimers();
});
