import { eq } from "drizzle-orm";
import { expect, it } from "vitest";
import * as tables from "../../src/platform/db/schema.ts";
import { aSession } from "../support/accounts.ts";
import { call } from "../support/call.ts";
import { anAdministrator } from "../support/panel.ts";
import { aUser, db } from "../support/shop.ts";

const profile = async (as: string) => (await call("GET /account/profile", { as })).status;

const entriesOf = (userId: number) => db.select().from(tables.auditLog).where(eq(tables.auditLog.subjectId, userId));

it("shows administrators their own sessions, and ends one or all others", async () => {
  const admin = await anAdministrator();
  const [one, other] = [await aSession(admin.id), await aSession(admin.id)];
  const page = await admin.get("/admin/account");
  expect(page.html).toContain("End all other sessions");
  expect(page.html).not.toContain(`sessions/${admin.sessionId}/end`);
  const ended = await admin.post(`/admin/account/sessions/${one.id}/end`);
  expect([ended.status, ended.location]).toEqual([303, "/admin/account"]);
  expect([await profile(one.token), await profile(other.token)]).toEqual([401, 200]);
  await admin.post("/admin/account/sessions/end");
  expect(await profile(other.token)).toBe(401);
  const alone = await admin.get("/admin/account");
  expect(alone.status).toBe(200);
  expect(alone.html).not.toContain("End all other sessions");
});

it("ends nobody else's session as one's own", async () => {
  const [admin, user] = [await anAdministrator(), await aUser()];
  expect((await admin.post(`/admin/account/sessions/${user.sessionId}/end`)).status).toBe(404);
  expect(await profile(user.token)).toBe(200);
});

it("shows a customer's sessions, ends one or all, and writes down who did", async () => {
  const [admin, user] = [await anAdministrator(), await aUser()];
  const [one, other] = [await aSession(user.id), await aSession(user.id)];
  const path = `/admin/customers/${user.id}/sessions`;
  expect((await admin.get(path)).html).toContain(`${path}/${one.id}/end`);
  const ended = await admin.post(`${path}/${one.id}/end`);
  expect([ended.status, ended.location]).toEqual([303, path]);
  expect([await profile(one.token), await profile(other.token), await profile(user.token)]).toEqual([401, 200, 200]);
  await admin.post(`${path}/end`);
  expect([await profile(other.token), await profile(user.token)]).toEqual([401, 401]);
  expect((await admin.get(path)).html).toContain("No active sessions");
  const entries = await entriesOf(user.id);
  expect(entries.map(({ actor, action }) => [actor, action])).toEqual([
    [`user:${admin.id}`, "user.end_sessions"],
    [`user:${admin.id}`, "user.end_sessions"],
  ]);
});

it("writes nothing down where there is nothing to end", async () => {
  const [admin, user, stranger] = [await anAdministrator(), await aUser(), await aUser()];
  const path = `/admin/customers/${user.id}/sessions`;
  expect((await admin.post(`${path}/${stranger.sessionId}/end`)).status).toBe(404);
  expect(await entriesOf(user.id)).toEqual([]);
  expect(await profile(stranger.token)).toBe(200);
});
