import { describe, expect, it } from "vitest";
import { accountNow, anAccount, logIn } from "../support/accounts.ts";
import { call } from "../support/call.ts";
import { PASSWORD_COST } from "../support/password-cost.ts";
import { hashOf } from "../support/password-hash.ts";

const OLDER = { ...PASSWORD_COST, ln: PASSWORD_COST.ln - 1 };

const composed = "caf\u00e9 \u00c5ngstr\u00f6m";

it("treats equivalent characters from two keyboards as equal", async () => {
  const decomposed = composed.normalize("NFD");
  expect(decomposed).not.toBe(composed);
  const email = "unicode@shop.test";
  const signup = { email, password: decomposed, name: "Zo\u00eb" };
  expect((await call("POST /auth/signup", { body: signup })).status).toBe(201);
  expect((await logIn(email, composed)).status).toBe(200);
});

describe("an outdated hash", () => {
  it("is replaced at login, and the password still works", async () => {
    const older = hashOf("from long ago", OLDER);
    const { id, email } = await anAccount({ passwordHash: older });
    expect((await logIn(email, "from long ago")).status).toBe(200);
    const { passwordHash } = await accountNow(id);
    expect(passwordHash).not.toBe(older);
    expect((await logIn(email, "from long ago")).status).toBe(200);
    expect((await accountNow(id)).passwordHash).toBe(passwordHash);
  });

  it("stays unchanged if the password is wrong or the account disabled", async () => {
    const passwordHash = hashOf("from long ago", OLDER);
    const [user, disabled] = [await anAccount({ passwordHash }), await anAccount({ passwordHash, disabledAt: 1 })];
    expect((await logIn(user.email, "just a guess")).status).toBe(401);
    expect((await logIn(disabled.email, "from long ago")).status).toBe(401);
    for (const { id } of [user, disabled]) expect((await accountNow(id)).passwordHash).toBe(passwordHash);
  });
});
