import { describe, expect, it } from "vitest";
import { anAccount, aSession, PASSWORD, profileStatus } from "../support/accounts.ts";
import { entriesOf } from "../support/administration.ts";
import { anAdministrator, aVisitor, fieldsOf } from "../support/panel.ts";
import { aUser } from "../support/shop.ts";

const ACCOUNT = "/admin/account";

async function signedIn(role: "viewer" | "support") {
  const [account, visitor] = [await anAccount({ role }), aVisitor()];
  await visitor.post("/admin/sign-in", { email: account.email, password: PASSWORD });
  return { account, visitor };
}

it.each(["viewer", "catalogue", "support", "admin"] as const)(
  "lets a member of staff, %s, change their name",
  async (role) => {
    const { get, post, id } = await anAdministrator({ role, name: "Ada" });
    expect(fieldsOf(await get(ACCOUNT), ACCOUNT).name).toEqual(["Ada"]);
    const refused = await post(ACCOUNT, { name: " " });
    expect([refused.status, refused.html.includes('aria-invalid="true"')]).toEqual([400, true]);
    expect((await post(ACCOUNT, { name: "Ada Lovelace" })).location).toBe(ACCOUNT);
    expect(fieldsOf(await get(ACCOUNT), ACCOUNT).name).toEqual(["Ada Lovelace"]);
    expect((await entriesOf(id)).map(({ action }) => action)).toEqual(["user.update"]);
  },
);

describe("a member of staff who changes their password", () => {
  const NEW = "another horse battery";

  it("signs in with the new one from then on, and ends their other sessions", async () => {
    const { visitor, account } = await signedIn("viewer");
    const other = await aSession(account.id);
    const shown = await visitor.get(ACCOUNT);
    for (const part of ["Profile", "Password", "Second factor", "Sessions"])
      expect(shown.html).toContain(`<h2>${part}`);
    const form = fieldsOf(shown, `${ACCOUNT}/password`);
    expect(Object.keys(form)).toEqual(expect.arrayContaining(["current_password", "password"]));
    const typed = { ...form, current_password: PASSWORD, password: NEW };
    const changed = await visitor.post(`${ACCOUNT}/password`, typed);
    expect([changed.status, changed.location]).toEqual([303, ACCOUNT]);
    const page = await visitor.get(ACCOUNT);
    expect([page.status, page.html.includes("Your password was changed")]).toEqual([200, true]);
    expect(await profileStatus(other.token)).toBe(401);
    const attempt = async (password: string) =>
      (await aVisitor().post("/admin/sign-in", { email: account.email, password })).status;
    expect([await attempt(PASSWORD), await attempt(NEW)]).toEqual([401, 303]);
  });

  it.each([
    ["a wrong password", { current_password: "not the password", password: NEW }, "is not the password of the account"],
    ["no password", { current_password: "", password: NEW }, "must have at least 1 character"],
    ["a common new password", { current_password: PASSWORD, password: "password1" }, "is one of the most common"],
    ["a short new password", { current_password: PASSWORD, password: "short" }, "must have at least 8 characters"],
  ])("is refused with %s, and keeps the sessions", async (_, fields, words) => {
    const { visitor, account } = await signedIn("support");
    const other = await aSession(account.id);
    const refused = await visitor.post(`${ACCOUNT}/password`, fields);
    expect(refused.status).toBe(400);
    expect(refused.html).toContain(words);
    expect(refused.html).not.toContain(NEW);
    expect(await profileStatus(other.token)).toBe(200);
  });
});

it("shows administrators their own sessions, and ends one or all others", async () => {
  const admin = await anAdministrator();
  const [one, other] = [await aSession(admin.id), await aSession(admin.id)];
  const page = await admin.get("/admin/account");
  expect(page.html).toContain("End all other sessions");
  expect(page.html).not.toContain(`sessions/${admin.sessionId}/end`);
  const ended = await admin.post(`/admin/account/sessions/${one.id}/end`);
  expect([ended.status, ended.location]).toEqual([303, "/admin/account"]);
  expect([await profileStatus(one.token), await profileStatus(other.token)]).toEqual([401, 200]);
  await admin.post("/admin/account/sessions/end");
  expect(await profileStatus(other.token)).toBe(401);
  const alone = await admin.get("/admin/account");
  expect(alone.status).toBe(200);
  expect(alone.html).not.toContain("End all other sessions");
});

it("cannot end somebody else's session by the form for one's own", async () => {
  const [admin, user] = [await anAdministrator(), await aUser()];
  expect((await admin.post(`/admin/account/sessions/${user.sessionId}/end`)).status).toBe(404);
  expect(await profileStatus(user.token)).toBe(200);
});

it("shows a customer's sessions, ends one or all, and audits it", async () => {
  const [admin, user] = [await anAdministrator(), await aUser()];
  const [one, other] = [await aSession(user.id), await aSession(user.id)];
  const path = `/admin/customers/${user.id}/sessions`;
  expect((await admin.get(path)).html).toContain(`${path}/${one.id}/end`);
  const ended = await admin.post(`${path}/${one.id}/end`);
  expect([ended.status, ended.location]).toEqual([303, path]);
  expect([await profileStatus(one.token), await profileStatus(other.token), await profileStatus(user.token)]).toEqual([
    401, 200, 200,
  ]);
  await admin.post(`${path}/end`);
  expect([await profileStatus(other.token), await profileStatus(user.token)]).toEqual([401, 401]);
  expect((await admin.get(path)).html).toContain("No active sessions");
  const entries = await entriesOf(user.id);
  expect(entries.map(({ actor, action }) => [actor, action])).toEqual([
    [`user:${admin.id}`, "user.end_sessions"],
    [`user:${admin.id}`, "user.end_sessions"],
  ]);
});

it("audits nothing if there is nothing to end", async () => {
  const [admin, user, stranger] = [await anAdministrator(), await aUser(), await aUser()];
  const path = `/admin/customers/${user.id}/sessions`;
  expect((await admin.post(`${path}/${stranger.sessionId}/end`)).status).toBe(404);
  expect(await entriesOf(user.id)).toEqual([]);
  expect(await profileStatus(stranger.token)).toBe(200);
});
