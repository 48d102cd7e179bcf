import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Permission, permits, resources } from "../../src/auth/permissions.ts";
import { call } from "../support/call.ts";
import { aKey, aProduct, orderOf } from "../support/shop.ts";

const every = resources.flatMap((name): Permission[] => [`${name}:read`, `${name}:write`]);

describe("permits", () => {
  it.each<[granted: string[], Permission, boolean]>([
    [["read"], "products:read", true],
    [["read"], "products:write", false],
    [["write"], "orders:write", true],
    [["write"], "orders:read", false],
    [["read", "write"], "users:write", true],
    [["orders:read"], "orders:read", true],
    [["orders:read"], "orders:write", false],
    [["orders:write"], "orders:read", false],
    [["orders:read"], "products:read", false],
    [["products:read", "write"], "carts:write", true],
    [["products:read", "write"], "carts:read", false],
    [[], "products:read", false],
  ])("%j for %s: %s", (granted, needed, answer) => {
    expect(permits(granted, needed)).toBe(answer);
  });

  it.each(every)("grants %s to itself and to its bare action, and to no other word of the vocabulary", (needed) => {
    const action = needed.split(":")[1] ?? "";
    const others = ["read", "write", ...every].filter((each) => each !== needed && each !== action);
    expect(permits([needed], needed)).toBe(true);
    expect(permits([action], needed)).toBe(true);
    expect(permits(others, needed)).toBe(false);
  });

  it("grants nothing for a word that it does not know", () => {
    const lookalikes = ["*", "admin", "all", "READ", "Read", " read", "read ", "reads", "orders", "orders:", ":read"];
    const odd = [
      ...lookalikes,
      "*:read",
      "orders:*",
      "orders:READ",
      "order:read",
      "orders:read:own",
      "orders read",
      "",
    ];
    for (const needed of every) expect(permits(odd, needed), needed).toBe(false);
    const unknown = fc.string().filter((word) => !["read", "write", ...every].includes(word));
    fc.assert(
      fc.property(fc.array(unknown), fc.constantFrom(...every), (granted, needed) => !permits(granted, needed)),
    );
  });
});

describe("a key without the permission", () => {
  it.each<[line: string, Permission, granted: string[]]>([
    ["GET /products", "products:read", ["write"]],
    ["POST /orders", "orders:write", ["read", "orders:read"]],
    ["GET /account/orders", "orders:read", ["orders:write"]],
    ["POST /auth/login", "users:write", ["users:read"]],
    ["GET /files", "files:read", ["READ"]],
    ["DELETE /cart", "carts:write", []],
  ])("is told by %s that it lacks %s", async (line, needed, granted) => {
    const { key } = await aKey({ permissions: granted });
    const { status, headers, body } = await call(line, { as: key });
    expect(status).toBe(403);
    expect(body).toEqual({ status: "error", message: expect.stringContaining(needed), errors: expect.any(Object) });
    expect(headers.get("WWW-Authenticate")).toBeNull();
    expect(headers.get("X-RateLimit-Remaining")).toBe("99");
  });

  it("is told so before anything is said of what it sent, and nothing is done", async () => {
    const product = await aProduct();
    const { key } = await aKey({ permissions: ["read"] });
    const body = orderOf(product, 1, { payment_method: "paypal" });
    expect((await call("POST /orders", { as: key, body })).status).toBe(403);
    expect((await call("POST /orders", { as: key, body: "{" })).status).toBe(403);
    const { body: seen } = await call(`GET /products/${product.id}`, { as: key });
    expect(seen.data.stock_quantity).toBe(100);
  });

  it("lacks nothing of an account's profile: no key has one", async () => {
    const { key } = await aKey({ permissions: ["read", "write", ...every] });
    for (const [line, body] of [["GET /account/profile"], ["PUT /account/profile", { name: "New" }]] as const) {
      expect((await call(line, { as: key, body })).status).toBe(403);
    }
  });
});
