import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Permission, permissions, permits, resources } from "../../src/auth/permissions.ts";
import { call } from "../support/call.ts";
import { anError, lacking } from "../support/refusal.ts";
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
    [["users:write"], "sessions:write", true],
    [["users:read"], "sessions:read", false],
    [["orders:read"], "checkout:read", true],
    [["orders:write"], "checkout:write", true],
    [["orders:write"], "checkout:read", false],
    [["sessions:write"], "users:write", false],
    [["checkout:read", "checkout:write"], "orders:read", false],
    [["read", "write", "orders:write", "users:write"], "payments:write", false],
    [["read"], "payments:read", false],
    [["payments:write"], "payments:write", true],
  ])("%j for %s: %s", (granted, needed, answer) => {
    expect(permits(granted, needed)).toBe(answer);
  });

  const wider: { [Name in Permission]?: Permission } = {
    "sessions:write": "users:write",
    "checkout:read": "orders:read",
    "checkout:write": "orders:write",
  };

  it.each(every)(
    "grants %s to itself, to its bare action unless it is money, and to what includes it alone",
    (needed) => {
      const bare = needed.startsWith("payments") ? "" : needed.split(":")[1];
      const covering = [needed, bare, wider[needed]];
      for (const held of permissions) expect(permits([held], needed), held).toBe(covering.includes(held));
      expect(
        permits(
          permissions.filter((held) => !covering.includes(held)),
          needed,
        ),
      ).toBe(false);
    },
  );

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
