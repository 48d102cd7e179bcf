import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { promote, withoutTwoFactor } from "../../scripts/administrators/statements.ts";
import { anAccount, aSession, logIn, PASSWORD } from "../support/accounts.ts";
import { entriesOf } from "../support/administration.ts";
import { call } from "../support/call.ts";
import { delivered, tokenIn } from "../support/emails.ts";
import { PASSWORD_COST } from "../support/password-cost.ts";
import { hashOf } from "../support/password-hash.ts";
import { giveFactor } from "../support/two-factor.ts";

// Effects of `npm run admin` on existing accounts. test/server/fresh-clone.test.ts runs the command itself.

const NEW_PASSWORD = "the password that was printed";

/** Runs a file of statements as wrangler does: all of them, or none. */
const run = (statements: string) => env.DB.batch([env.DB.prepare(statements)]);

const author = () => ({ actor: "system", address: null, requestId: crypto.randomUUID(), now: Date.now() });

const refresh = async (refresh_token: string) => (await call("POST /auth/refresh", { body: { refresh_token } })).status;

it("promotes an account, with a new password and without its second factor, sessions and links", async () => {
  const { id, email, token } = await anAccount();
  const { refreshToken } = await aSession(id);
  const profile = { email: "elsewhere@shop.test", current_password: PASSWORD };
  expect((await call("PUT /account/profile", { as: token, body: profile })).status).toBe(200);
  const [sent = { text: "" }] = await delivered(profile.email);
  await giveFactor(id);
  expect((await logIn(email)).body.data.token).toBeUndefined();

  await run(promote(email, "customer", hashOf(NEW_PASSWORD, PASSWORD_COST), author()));
  expect((await entriesOf(id))[0]).toMatchObject({
    actor: "system",
    action: "user.update",
    before: { role: "customer" },
    after: { role: "admin", password: "changed" },
  });
  expect((await logIn(email)).status).toBe(401);
  expect(await refresh(refreshToken)).toBe(401);
  expect((await call("POST /auth/verify-email", { body: { token: tokenIn(sent) } })).status).toBe(400);
  expect((await logIn(email, NEW_PASSWORD)).body.data).toMatchObject({
    token: expect.any(String),
    user: { role: "admin" },
  });
});

it("does not promote an account that has another role by then", async () => {
  const { id, email } = await anAccount();
  await expect(run(promote(email, "manager", "", author()))).rejects.toThrow("row_changed");
  expect((await logIn(email)).body.data.user.role).toBe("customer");
  expect(await entriesOf(id)).toEqual([]);
});

it("lets in an administrator who lost the second factor, ends every session and notifies the account", async () => {
  const { id, email } = await anAccount();
  const { refreshToken } = await aSession(id);
  await giveFactor(id);
  await run(withoutTwoFactor(email, author()));
  expect(await delivered(email)).toMatchObject([
    { subject: "Two-factor authentication was removed from your account at Storefront" },
  ]);
  expect(await entriesOf(id)).toMatchObject([{ actor: "system", action: "user.remove_two_factor" }]);
  expect(await refresh(refreshToken)).toBe(401);
  expect((await logIn(email)).body.data.token).toEqual(expect.any(String));
});
