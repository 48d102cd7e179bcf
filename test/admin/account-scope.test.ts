import { beforeAll, describe, expect, it } from "vitest";
import { anAccount, PASSWORD } from "../support/accounts.ts";
import { call } from "../support/call.ts";
import { aFile, aKey, aPackage, aProduct, aUser, orderOf } from "../support/shop.ts";

// API keys cannot manage administrators: these routes do not exist for a key, whatever its permissions.

let key: string;
let order: { id: number };
let admin: { id: number; email: string; token: string };

beforeAll(async () => {
  admin = await aUser({ role: "admin", wallet: 10_000 });
  ({ key } = await aKey());
  order = (await call("POST /orders", { as: admin.token, body: orderOf(await aProduct()) })).body.data;
});

describe("an API key with every permission", () => {
  it.each([
    ["GET", () => `/admin/users/${admin.id}`, undefined],
    ["GET", () => `/admin/orders/${order.id}`, undefined],
    ["PUT", () => `/admin/orders/${order.id}`, { status: "cancelled" }],
    ["POST", () => `/admin/orders/${order.id}/refunds`, {}],
    ["POST", () => `/admin/users/${admin.id}/credit`, { amount: 5, reason: "Welcome" }],
  ])("cannot find an administrator's records: %s %s", async (method, path, body) => {
    expect((await call(`${method} ${path()}`, { as: key, body })).status).toBe(404);
  });

  it("cannot find an administrator's packages", async () => {
    const held = await aPackage(admin.id, [(await aFile()).id]);
    expect((await call(`GET /admin/packages/${held.id}`, { as: key })).status).toBe(404);
  });

  it("does not list an administrator's records, which an administrator sees", async () => {
    for (const path of [
      `orders?user_id=${admin.id}`,
      `orders?search=${admin.email}`,
      `transactions?user_id=${admin.id}`,
    ]) {
      expect((await call(`GET /admin/${path}`, { as: key })).body.pagination.total_items, path).toBe(0);
      expect((await call(`GET /admin/${path}`, { as: admin.token })).body.pagination.total_items, path).toBeGreaterThan(
        0,
      );
    }
  });

  it("signs no administrator in, and gets the error for a wrong password", async () => {
    const other = await anAccount({ role: "admin" });
    const customer = await anAccount();
    const logIn = (email: string, password: string) => call("POST /auth/login", { as: key, body: { email, password } });
    const right = await logIn(other.email, PASSWORD);
    const wrong = await logIn(other.email, "not the password");
    expect([right.status, right.body]).toEqual([401, wrong.body]);
    expect((await logIn(customer.email, PASSWORD)).status).toBe(200);
  });
});
