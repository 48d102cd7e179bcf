import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, it } from "vitest";
import { type Role, roles, users } from "../../src/platform/db/schema.ts";
import { anAccount, PASSWORD } from "../support/accounts.ts";
import { call } from "../support/call.ts";
import { aProduct, aUser, db, orderOf } from "../support/shop.ts";

const staff = roles.filter((role) => role !== "customer");

let admin: { token: string };
let support: { id: number; token: string };

beforeAll(async () => {
  admin = await aUser({ role: "admin" });
  support = await aUser({ role: "support" });
});

const roleOf = async (id: number) =>
  (await db.select({ role: users.role }).from(users).where(eq(users.id, id)).get())?.role;

describe("a role", () => {
  it.each(staff)("%s cannot be given to a customer, who has to accept an invitation", async (role) => {
    const user = await anAccount();
    const body = { role, password: "given by the shop", name: "Renamed" };
    const answer = await call(`PUT /admin/users/${user.id}`, { as: admin.token, body });
    expect(answer.body.details).toMatchObject([{ field: "role", code: "not_applicable" }]);
    expect(await roleOf(user.id)).toBe("customer");
    expect((await call("POST /auth/login", { body: { email: user.email, password: PASSWORD } })).status).toBe(200);
  });

  it("of staff changes from the very next request on, and keeps their password and sessions", async () => {
    const user = await aUser({ role: "viewer" });
    const { id } = await aProduct();
    const rename = () => call(`PUT /admin/products/${id}`, { as: user.token, body: { name: "Renamed" } });
    expect((await rename()).status).toBe(403);
    await call(`PUT /admin/users/${user.id}`, { as: admin.token, body: { role: "catalogue" } });
    expect((await rename()).status).toBe(200);
    await call(`PUT /admin/users/${user.id}`, { as: admin.token, body: { role: "customer" } });
    expect((await rename()).status).toBe(403);
  });

  it.each([{ role: "admin" }, { role: "viewer" }, { password: "a new password" }])(
    "and a password cannot be set by other staff: %j",
    async (body) => {
      const { id } = await aUser();
      const answer = await call(`PUT /admin/users/${id}`, { as: support.token, body });
      expect([answer.status, answer.body.code]).toEqual([403, "administrators_only"]);
      expect(await roleOf(id)).toBe("customer");
    },
  );

  it("of the shop's last administrator cannot be changed by others", async () => {
    const others = await db.select({ id: users.id }).from(users).where(eq(users.role, "admin"));
    const answer = await call(`PUT /admin/users/${others[0]?.id}`, { as: support.token, body: { disabled: true } });
    expect(answer.status).toBe(404);
  });
});

describe("staff other than administrators", () => {
  it.each(staff)("neither find nor change an account with the role %s", async (role) => {
    const colleague = await aUser({ role, wallet: 5_000 });
    const product = await aProduct();
    const order = (await call("POST /orders", { as: colleague.token, body: orderOf(product) })).body.data;
    for (const [line, body] of [
      [`GET /admin/users/${colleague.id}`],
      [`PUT /admin/users/${colleague.id}`, { email: "taken@over.test" }],
      [`GET /admin/orders/${order.id}`],
      [`PUT /admin/orders/${order.id}`, { status: "cancelled" }],
    ] as const) {
      expect((await call(line, { as: support.token, body })).status, line).toBe(404);
    }
    const credit = { as: support.token, body: { amount: 1, reason: "Gift" } };
    expect((await call(`POST /admin/users/${colleague.id}/credit`, credit)).status).toBe(404);
    const listed = await call(`GET /admin/users?search=${colleague.email}`, { as: support.token });
    expect(listed.body.data).toEqual([]);
    expect((await call("GET /admin/staff", { as: support.token })).status).toBe(403);
  });

  it("grant themselves nothing", async () => {
    const body = { amount: 1, reason: "Gift" };
    expect((await call(`POST /admin/users/${support.id}/credit`, { as: support.token, body })).status).toBe(404);
    const promote = ({ id }: { id: number }) =>
      call(`PUT /admin/users/${id}`, { as: support.token, body: { role: "admin" } });
    expect((await promote(support)).status).toBe(404);
    expect((await promote(await aUser({}))).status).toBe(403);
  });

  it.each<[Role, number]>([
    ["catalogue", 200],
    ["viewer", 404],
    ["support", 404],
  ])("see drafts in the shop if they may write products: %s", async (role, status) => {
    const [{ id }, { token }] = [await aProduct({ status: "draft" }), await aUser({ role })];
    expect((await call(`GET /products/${id}`, { as: token })).status).toBe(status);
  });

  it("buy like anybody else", async () => {
    const viewer = await aUser({ role: "viewer", wallet: 5_000 });
    const placed = await call("POST /orders", { as: viewer.token, body: orderOf(await aProduct()) });
    expect(placed.status).toBe(201);
    const cancelled = await call(`POST /account/orders/${placed.body.data.id}/cancel`, { as: viewer.token });
    expect(cancelled.status).toBe(200);
  });
});
