import { expect, it } from "vitest";
import { RouterByArea } from "../../src/http/router.ts";

const router = new RouterByArea<string>();
for (const path of ["*", "/api/*", "/api/v1/user/cart", "/api/v1/user/cart/items/:id"]) router.add("ALL", path, path);
for (const path of ["/admin/*", "/admin/orders/new", "/admin/orders/:id"]) router.add("ALL", path, path);
router.add("GET", "/api/v1/admin/uploads", "uploads");
router.add("GET", "/api/v1/admin/files/:id", "one file");

it.each([
  ["/api/v1/user/cart", ["*", "/api/*", "/api/v1/user/cart"]],
  ["/api/v1/user/cart/items/7", ["*", "/api/*", "/api/v1/user/cart/items/:id"]],
  ["/api/v1/admin/files/7", ["*", "/api/*", "one file"]],
  ["/api/v1/admin/uploads", ["*", "/api/*", "uploads"]],
  ["/admin/orders/new", ["*", "/admin/*", "/admin/orders/new", "/admin/orders/:id"]],
  ["/admin", ["*", "/admin/*"]],
  ["/administrators", ["*"]],
  ["/health", ["*"]],
])("finds what is registered for %s, whichever area it is in, in the order of registration", (path, expected) => {
  expect(router.match("GET", path)[0].map(([handler]) => handler)).toEqual(expected);
});
