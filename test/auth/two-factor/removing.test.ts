import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import * as tables from "../../../src/platform/db/schema.ts";
import { anAccount, logIn, PASSWORD, profileStatus } from "../../support/accounts.ts";
import { entriesOf } from "../../support/administration.ts";
import { call } from "../../support/call.ts";
import { delivered } from "../../support/emails.ts";
import { anAdministrator } from "../../support/panel.ts";
import { aRefusal } from "../../support/refusal.ts";
import { aUser, db } from "../../support/shop.ts";
import { anAccountWithFactor, challengeOf, codeOf, giveFactor, SECRET } from "../../support/two-factor.ts";

const remove = (id: number, as: string) => call(`DELETE /admin/users/${id}/two-factor`, { as });
const codesOf = (id: number) => db.select().from(tables.recoveryCodes).where(eq(tables.recoveryCodes.userId, id));

const anAdmin = () => aUser({ role: "admin" });

it("accepts the password alone, ends every session, notifies the account, and is audited", async () => {
  const [admin, lost] = [await anAdmin(), await anAccountWithFactor()];
  expect((await remove(lost.id, admin.token)).status).toBe(204);
  expect(await profileStatus(lost.token)).toBe(401);
  expect(await codesOf(lost.id)).toEqual([]);
  const [told, ...more] = await delivered(lost.email);
  expect(told?.subject).toBe("Two-factor authentication was removed from your account at Storefront");
  expect([told?.text.includes("IP address"), more]).toEqual([false, []]);
  expect(await entriesOf(lost.id)).toMatchObject([{ actor: `user:${admin.id}`, action: "user.remove_two_factor" }]);
  expect((await logIn(lost.email)).body.data).toHaveProperty("token");
});

it("leaves everybody else's unchanged", async () => {
  const [lost, other] = [await anAccountWithFactor(), await anAccountWithFactor()];
  await remove(lost.id, (await anAdmin()).token);
  expect(await profileStatus(other.token)).toBe(200);
  expect(await codesOf(other.id)).toHaveLength(2);
  expect((await logIn(other.email)).body.data.two_factor_required).toBe(true);
});

it("ends a login that waits for its code", async () => {
  const { id, email } = await anAccountWithFactor();
  const challenge = await challengeOf(email);
  await remove(id, (await anAdmin()).token);
  const { body } = await call("POST /auth/login/two-factor", { body: { challenge, code: codeOf(SECRET) } });
  expect(body).toEqual(aRefusal("invalid_challenge"));
});

describe("is refused", () => {
  it("if there is none, or one that was only started, and then ends and notifies nothing", async () => {
    const admin = await anAdmin();
    const [without, begun] = [await anAccount(), await anAccount()];
    await call("POST /account/two-factor", { as: begun.token, body: { current_password: PASSWORD } });
    for (const { id, email, token } of [without, begun]) {
      const { status, body } = await remove(id, admin.token);
      expect([status, body]).toEqual([409, aRefusal("two_factor_not_enabled")]);
      expect(await profileStatus(token)).toBe(200);
      expect(await entriesOf(id)).toEqual([]);
      expect(await delivered(email)).toEqual([]);
    }
  });

  it("for an unknown user", async () => {
    expect((await remove(99_999_999, (await anAdmin()).token)).status).toBe(404);
  });

  it("for one's own account, which requires a code", async () => {
    const admin = await anAccountWithFactor({ role: "admin" });
    const { status, body } = await remove(admin.id, admin.token);
    expect([status, body]).toEqual([409, aRefusal("own_two_factor")]);
    expect(await codesOf(admin.id)).toHaveLength(2);
  });

  it("for one of two simultaneous requests", async () => {
    const [lost, ...admins] = [await anAccountWithFactor(), await anAdmin(), await anAdmin()];
    const answers = await Promise.all(admins.map(({ token }) => remove(lost.id, token)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 409]);
    expect(await entriesOf(lost.id)).toHaveLength(1);
  });
});

it("is not done to a member of staff whose role is changing", async () => {
  const member = await anAccountWithFactor({ role: "viewer", emailVerifiedAt: 1 });
  const body = { role: "support" };
  expect((await call(`PUT /admin/users/${member.id}`, { as: (await anAdmin()).token, body })).status).toBe(200);
  expect(await codesOf(member.id)).toHaveLength(2);
});

describe("the customer's page", () => {
  const BUTTON = "Remove second factor";

  it("has a button for it, only if there is a factor", async () => {
    const [admin, lost] = [await anAdministrator(), await anAccountWithFactor()];
    const path = `/admin/customers/${lost.id}`;
    expect((await admin.get(path)).html).toContain(BUTTON);
    const removed = await admin.post(`${path}/two-factor/remove`);
    expect([removed.status, removed.location]).toEqual([303, path]);
    const { html } = await admin.get(path);
    expect(html).toContain("The second factor was removed.");
    expect(html).not.toContain(BUTTON);
    expect(await delivered(lost.email)).toHaveLength(1);
    expect((await admin.post(`${path}/two-factor/remove`)).status).toBe(409);
  });

  it("has none for one's own account", async () => {
    const admin = await anAdministrator();
    await giveFactor(admin.id);
    const path = `/admin/customers/${admin.id}`;
    expect((await admin.get(path)).html).not.toContain(BUTTON);
    expect((await admin.post(`${path}/two-factor/remove`)).status).toBe(409);
  });

  it("has none for staff other than administrators, and refuses them", async () => {
    const [support, lost] = [await anAdministrator({ role: "support" }), await anAccountWithFactor()];
    const path = `/admin/customers/${lost.id}`;
    expect((await support.get(path)).html).not.toContain(BUTTON);
    expect((await support.post(`${path}/two-factor/remove`)).status).toBe(403);
    expect(await codesOf(lost.id)).toHaveLength(2);
  });
});
