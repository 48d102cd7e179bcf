import { describe, expect, it } from "vitest";
import { type Permission, resources } from "../../src/platform/auth/roles.ts";
import { call } from "../support/call.ts";
import { anError, lacking } from "../support/refusal.ts";
import { aKey, aProduct, orderOf } from "../support/shop.ts";

const every = resources.flatMap((name): Permission[] => [`${name}:read`, `${name}:write`]);

describe("a key without the permission", () => {
  it.each<[line: string, Permission, granted: string[]]>([
    ["GET /products", "products:read", ["orders:write"]],
    ["POST /orders", "checkout:write", ["read", "orders:read"]],
    ["GET /account/orders", "checkout:read", ["orders:write"]],
    ["POST /auth/login", "sessions:write", ["users:read"]],
    ["GET /files", "files:read", ["READ"]],
    ["DELETE /cart", "carts:write", []],
  ])("is told by %s that it lacks %s", async (line, needed, granted) => {
    const { key } = await aKey({ permissions: granted });
    const { status, headers, body } = await call(line, { as: key });
    expect(status).toBe(403);
    expect(body).toEqual({
      ...anError,
      message: expect.stringContaining(needed),
      code: "insufficient_scope",
      details: [lacking(needed)],
    });
    expect(headers.get("WWW-Authenticate")).toContain(`error="insufficient_scope", scope="${needed}"`);
    expect(headers.get("X-RateLimit-Remaining")).toBe("99");
  });

  it("is refused before its input is validated, and nothing is done", async () => {
    const product = await aProduct();
    const { key } = await aKey({ permissions: ["read"] });
    const body = orderOf(product, 1, { payment_method: "paypal" });
    expect((await call("POST /orders", { as: key, body })).status).toBe(403);
    expect((await call("POST /orders", { as: key, body: "{" })).status).toBe(403);
    const { body: seen } = await call(`GET /products/${product.id}`, { as: key });
    expect(seen.data.stock_quantity).toBe(100);
  });

  it("gets no permission error for an account's profile, which no key can have", async () => {
    const { key } = await aKey({ permissions: ["read", "write", ...every] });
    for (const [line, body] of [["GET /account/profile"], ["PUT /account/profile", { name: "New" }]] as const) {
      expect((await call(line, { as: key, body })).status).toBe(403);
    }
  });
});
