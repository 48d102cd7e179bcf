import { expect, it } from "vitest";
import { isCommonPassword } from "../../src/auth/common-passwords/is-common.ts";
import { LIST } from "../../src/auth/common-passwords/list.ts";
import { anAccount, hashOf, PASSWORD } from "../support/accounts.ts";
import { call } from "../support/call.ts";
import { aUser } from "../support/shop.ts";

const listed = LIST.split("\n");

it("knows every listed password in any case, and no other", () => {
  expect(listed.length).toBeGreaterThan(5_000);
  expect(listed.filter((password) => password.length < 8 || password !== password.toLowerCase())).toEqual([]);
  for (const written of [listed, listed.map((password) => password.toUpperCase())]) {
    expect(written.filter((password) => !isCommonPassword(password))).toEqual([]);
  }
  const others = [PASSWORD, "zk7 quartz lamp", "", "\n", ...listed.map((password) => `${password} and more`)];
  expect(others.filter(isCommonPassword)).toEqual([]);
});

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

it("lets in who chose such a password before", async () => {
  const password = "password1";
  const { email } = await anAccount({ passwordHash: hashOf(password, [4, 8, 1]) });
  expect((await call("POST /auth/login", { body: { email, password } })).status).toBe(200);
});
