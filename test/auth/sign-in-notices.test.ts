import { eq } from "drizzle-orm";
import { expect, it } from "vitest";
import * as tables from "../../src/platform/db/schema.ts";
import { anAccount, PASSWORD } from "../support/accounts.ts";
import { call } from "../support/call.ts";
import { db } from "../support/shop.ts";
import { anAccountWithFactor, challengeOf, codeOf, RECOVERY_CODES, SECRET } from "../support/two-factor.ts";

const noticesOf = async (userId: number) =>
  (await db.select().from(tables.emails).where(eq(tables.emails.userId, userId))).map(({ template }) => template);

const from = (address: string) => ({ "CF-Connecting-IP": address });
const logIn = (email: string, address: string, password = PASSWORD) =>
  call("POST /auth/login", { body: { email, password }, headers: from(address) });

it("announces a sign-in from a new place once, and no failed ones", async () => {
  const { id, email } = await anAccount();
  await logIn(email, "203.0.113.41", "wrong password");
  expect(await noticesOf(id)).toEqual([]);
  await logIn(email, "203.0.113.41");
  await logIn(email, "203.0.113.41");
  expect(await noticesOf(id)).toEqual(["new_sign_in"]);
  await logIn(email, "198.51.100.41");
  expect(await noticesOf(id)).toEqual(["new_sign_in", "new_sign_in"]);
});

it("knows the place of the sign-up", async () => {
  const headers = from("203.0.113.42");
  const account = { email: "at-home@notices.test", password: PASSWORD };
  const { body } = await call("POST /auth/signup", { body: { ...account, name: "New" }, headers });
  await logIn(account.email, "203.0.113.42");
  expect(await noticesOf(body.data.user.id)).not.toContain("new_sign_in");
});

it("announces a login with a code when it is complete", async () => {
  const { id, email } = await anAccountWithFactor();
  const challenge = await challengeOf(email);
  expect(await noticesOf(id)).toEqual([]);
  await call("POST /auth/login/two-factor", { body: { challenge, code: codeOf(SECRET) } });
  expect(await noticesOf(id)).toEqual(["new_sign_in"]);
});

it("notifies of a second factor that was enabled or disabled, but not of one that was only started", async () => {
  const [one, other] = [await anAccount(), await anAccountWithFactor()];
  const begun = await call("POST /account/two-factor", { as: one.token, body: { current_password: PASSWORD } });
  expect(await noticesOf(one.id)).toEqual([]);
  await call("POST /account/two-factor/confirm", { as: one.token, body: { code: codeOf(begun.body.data.secret) } });
  expect(await noticesOf(one.id)).toEqual(["two_factor_enabled"]);
  await call("POST /account/two-factor/disable", { as: other.token, body: { code: RECOVERY_CODES[0] } });
  expect(await noticesOf(other.id)).toEqual(["two_factor_disabled"]);
});
