import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Permission, permissions, permits, resources } from "../../../../src/platform/auth/roles.ts";

const every = [
  ...resources.flatMap((name): Permission[] => [`${name}:read`, `${name}:write`]),
  "products:read_all" as const,
  "files:read_all" as const,
];

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
    [["products:read"], "products:read_all", false],
    [["files:read"], "files:read_all", false],
    [["read"], "products:read_all", true],
    [["products:read_all"], "products:read", true],
    [["products:read_all"], "files:read_all", false],
    [["products:read_all"], "products:write", false],
    [["products:write"], "products:read_all", true],
    [["files:write"], "files:read", true],
    [["write"], "products:read", true],
    [["write"], "discounts:read", false],
  ])("%j for %s: %s", (granted, needed, answer) => {
    expect(permits(granted, needed)).toBe(answer);
  });

  const wider: { [Name in Permission]?: readonly string[] } = {
    "sessions:write": ["users:write"],
    "checkout:read": ["orders:read"],
    "checkout:write": ["orders:write"],
    "shipments:read": ["orders:read"],
    "shipments:write": ["orders:write"],
    "products:read": ["products:read_all", "products:write", "write"],
    "products:read_all": ["products:write", "write"],
    "files:read": ["files:read_all", "files:write", "write"],
    "files:read_all": ["files:write", "write"],
  };

  it.each(every)(
    "grants %s to itself, to its bare action unless it is money, and to permissions that include it",
    (needed) => {
      const bare = needed.startsWith("payments") ? "" : needed.split(/[:_]/)[1];
      const covering = [needed, bare, ...(wider[needed] ?? [])];
      for (const held of permissions) expect(permits([held], needed), held).toBe(covering.includes(held));
      expect(
        permits(
          permissions.filter((held) => !covering.includes(held)),
          needed,
        ),
      ).toBe(false);
    },
  );

  it("grants nothing for an unknown word", () => {
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
