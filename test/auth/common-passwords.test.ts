import { expect, it } from "vitest";
import { anAccount, PASSWORD } from "../support/accounts.ts";
import { call } from "../support/call.ts";
import { PASSWORD_COST } from "../support/password-cost.ts";
import { hashOf } from "../support/password-hash.ts";
import { aUser } from "../support/shop.ts";

it.each(["password1", "Password123", "12345678", "qwertyuiop", "ILOVEYOU", "trustno1"])(
  "refuses %s at sign-up, in the profile and from an administrator",
  async (password) => {
    const [{ id, token }, admin] = [await anAccount(), await aUser({ role: "admin" })];
    const email = `common-${id}@shop.test`;
    const answers = [
      await call("POST /auth/signup", { body: { email, name: "Common", password } }),
      await call("PUT /account/profile", { as: token, body: { password, current_password: PASSWORD } }),
      await call(`PUT /admin/users/${id}`, { as: admin.token, body: { password } }),
    ];
    for (const { status, body } of answers) {
      expect([status, body.details]).toEqual([400, [{ field: "password", code: "too_common" }]]);
    }
  },
);

it("still accepts users who chose such a password before", async () => {
  const password = "password1";
  const { email } = await anAccount({ passwordHash: hashOf(password, PASSWORD_COST) });
  expect((await call("POST /auth/login", { body: { email, password } })).status).toBe(200);
});
