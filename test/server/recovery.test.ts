import { expect, inject, it } from "vitest";
import { emailsTo, sentToken } from "./emails.ts";

type Answer = { data: { token: string; email_verified_at: string | null } };

const PASSWORD = "a password of the local store";

it("signs up, verifies, and resets a forgotten password by the e-mails of the local runtime", async () => {
  const { base_url: shop } = inject("shop");
  const email = `store-${Date.now()}@example.com`;
  const call = async (line: string, body?: object, token?: string) => {
    const [method = "", path = ""] = line.split(" ");
    const headers = { "Content-Type": "application/json", ...(token && { Authorization: `Bearer ${token}` }) };
    const response = await fetch(`${shop}/api/v1/user${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    const { data } = (await response.json()) as Answer;
    return { status: response.status, data };
  };
  const first = (await call("POST /auth/signup", { email, password: PASSWORD, name: "Store" })).data;
  expect((await call("GET /account/profile", undefined, first.token)).data.email_verified_at).toBeNull();
  const verification = await sentToken(shop, email, "verify");
  expect((await call("POST /auth/verify-email", { token: verification }, first.token)).status).toBe(200);
  expect((await call("POST /auth/verify-email", { token: verification }, first.token)).status).toBe(400);
  expect((await call("GET /account/profile", undefined, first.token)).data.email_verified_at).not.toBeNull();

  expect((await call("POST /auth/forgot-password", { email })).status).toBe(200);
  const older = await sentToken(shop, email, "reset");
  expect((await call("POST /auth/forgot-password", { email })).status).toBe(200);
  const token = await sentToken(shop, email, "reset", older);
  const reset = (value: string) =>
    call("POST /auth/reset-password", { token: value, password: "another password, newer" });
  expect((await reset(older)).status).toBe(400);
  const done = await reset(token);
  expect(done.status).toBe(200);
  expect((await reset(token)).status).toBe(400);
  expect((await call("GET /account/profile", undefined, first.token)).status).toBe(401);
  expect((await call("GET /account/profile", undefined, done.data.token)).status).toBe(200);
  await expect
    .poll(async () => (await emailsTo(shop, email)).map(({ subject }) => subject))
    .toContain("Your password for Storefront was changed");
});
