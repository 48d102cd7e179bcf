import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { expect, it, vi } from "vitest";
import * as tables from "../../src/platform/db/schema.ts";
import { anAccount } from "../support/accounts.ts";
import { call } from "../support/call.ts";
import { interleaved } from "../support/faults.ts";
import { anAdministrator, aVisitor, fieldsOf } from "../support/panel.ts";
import { db } from "../support/shop.ts";
import {
  AUTHORIZE,
  aConnectedApp,
  aDescribedClient,
  anInstalledApp,
  aProof,
  aShopperCode,
  aStaffCode,
  askFor,
  exchange,
  refresh,
  STAFF,
} from "./support.ts";

const LIST = "/admin/apps/registered";
const REGIONS = [{ continent: "EU" }, { continent: "NA" }];

type Staff = Pick<Awaited<ReturnType<typeof anAdministrator>>, "get" | "post">;

/** Presses a button in the list of all apps. */
async function decide({ get, post }: Staff, clientId: string, decision: "block" | "unblock") {
  const app = await db.select().from(tables.apps).where(eq(tables.apps.clientId, clientId)).get();
  const path = `${LIST}/${app?.id}/${decision}`;
  return (await post(path, fieldsOf(await get(LIST), path))).location;
}

it("blocks an app that describes itself for the whole shop, at once", async () => {
  const clientId = await aDescribedClient({ client_name: "Leaky" });
  const [one, other] = [await anInstalledApp({ clientId }), await anInstalledApp({ clientId })];
  const shopper = await aConnectedApp({ clientId });
  const codes = [
    await aStaffCode(await anAdministrator(), { clientId }),
    await aShopperCode(await anAccount(), { clientId }),
  ];
  const stranger = await anInstalledApp({ clientId: await aDescribedClient() });
  const products = (as: string, cf: { continent: string }) => call("GET /products", { as, cf });
  for (const cf of REGIONS) {
    for (const { token } of [one, other]) expect((await products(token, cf)).status).toBe(200);
    expect((await call("GET /account/profile", { as: shopper.token, cf })).status).toBe(200);
  }

  const admin = await anAdministrator();
  expect(await decide(admin, clientId, "block")).toBe(LIST);
  for (const cf of REGIONS) {
    for (const { token } of [one, other]) expect((await products(token, cf)).status).toBe(401);
    expect((await call("GET /account/profile", { as: shopper.token, cf })).status).toBe(401);
    expect((await products(stranger.token, cf)).status).toBe(200);
  }
  for (const { refreshToken } of [one, other, shopper])
    expect((await refresh(clientId, refreshToken)).body.error).toBe("invalid_client");
  for (const code of codes) expect((await exchange(code)).body.error).toBe("invalid_client");
  for (const [visitor, page] of [
    [aVisitor(), AUTHORIZE],
    [admin, STAFF],
  ] as const) {
    const { status, html } = await visitor.get(page + askFor(clientId));
    expect([status, html]).toEqual([401, expect.stringContaining("blocked")]);
  }
  expect((await admin.get(LIST)).html).toMatch(/Leaky.{0,600}blocked/s);
  const written = await db.select().from(tables.auditLog).where(eq(tables.auditLog.action, "app.block"));
  expect(written).toMatchObject([{ actor: `user:${admin.id}` }]);
});

it("admits a blocked app again, without what it held", async () => {
  const clientId = await aDescribedClient();
  const [installed, connected] = [await anInstalledApp({ clientId }), await aConnectedApp({ clientId })];
  const waiting = await aStaffCode(installed.admin, { clientId });
  const admin = await anAdministrator();
  await decide(admin, clientId, "block");
  expect(await decide(admin, clientId, "unblock")).toBe(LIST);
  for (const { token } of [installed, connected]) expect((await call("GET /products", { as: token })).status).toBe(401);
  for (const { refreshToken } of [installed, connected])
    expect((await refresh(clientId, refreshToken)).body.error).toBe("invalid_grant");
  expect((await exchange(waiting)).body.error).toBe("invalid_grant");
  const again = await anInstalledApp({ clientId });
  expect((await call("GET /products", { as: again.token })).status).toBe(200);
});

it("leaves nothing that works after it blocks an app at whatever moment of a consent", async () => {
  const admin = await anAdministrator();
  for (let moment = 1; moment <= 8; moment++) {
    const clientId = await aDescribedClient();
    await aStaffCode(admin, { clientId });
    const { verifier, challenge } = aProof();
    const other = await anAdministrator();
    const fields = fieldsOf(await other.get(STAFF + askFor(clientId, { code_challenge: challenge })), STAFF);
    const block = () => decide(admin, clientId, "block");
    const { status, headers } = await other.post(STAFF, fields, {}, { DB: interleaved(env.DB, block, moment) });
    await block();
    expect(await decide(admin, clientId, "unblock")).toBe(LIST);
    expect(await db.select().from(tables.appCodes).where(eq(tables.appCodes.userId, other.id))).toEqual([]);
    expect([200, 401, 409]).toContain(status);
    const code = /code=([^&]+)/.exec(headers.get("Refresh") ?? "")?.[1] ?? "sfc_none";
    expect((await exchange({ client_id: clientId, code, code_verifier: verifier })).body.error).toBe("invalid_grant");
  }
});

it("asks for the password, and for an administrator, before it blocks an app", async () => {
  const { clientId, token, admin } = await anInstalledApp({ clientId: await aDescribedClient() });
  const app = await db.select().from(tables.apps).where(eq(tables.apps.clientId, clientId)).get();
  const path = `${LIST}/${app?.id}/block`;
  const fields = fieldsOf(await admin.get(LIST), path);
  const support = await anAdministrator({ role: "support" });
  expect((await support.post(path, fields)).status).toBe(403);
  vi.useFakeTimers({ now: Date.now() + 15 * 60_000, toFake: ["Date"] });
  expect((await admin.post(path, fields)).html).toContain("Confirm your identity");
  vi.useRealTimers();
  expect((await admin.post(`${LIST}/${app?.id}/unblock`)).status).toBe(404);
  expect((await call("GET /products", { as: token })).status).toBe(200);
});

it("shows an installed app by the name that its administrator saw, until they see another", async () => {
  const clientId = await aDescribedClient({ client_name: "Honest Mailer" }, { client_name: "Shop Security" });
  const { admin, token } = await anInstalledApp({ clientId });
  vi.useFakeTimers({ now: Date.now() + 2 * 60 * 60_000, toFake: ["Date"] });
  await aShopperCode(await anAccount(), { clientId });
  vi.useRealTimers();
  expect((await db.select().from(tables.apps).where(eq(tables.apps.clientId, clientId)).get())?.name).toBe(
    "Shop Security",
  );
  const names = async () => {
    const { html } = await admin.get("/admin/apps");
    return ["Honest Mailer", "Shop Security"].filter((name) => html.includes(name));
  };
  expect(await names()).toEqual(["Honest Mailer"]);
  await aStaffCode(admin, { clientId });
  expect(await names()).toEqual(["Shop Security"]);
  expect((await call("GET /products", { as: token })).status).toBe(200);
});
