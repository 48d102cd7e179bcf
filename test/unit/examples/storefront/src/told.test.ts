import { Hono } from "hono";
import { expect, it } from "vitest";
import type { AppEnv } from "../../../../../examples/storefront/src/env.ts";
import { tell } from "../../../../../examples/storefront/src/told.ts";

it("cuts a long message to what a cookie holds, without leaving half an emoji", async () => {
  const app = new Hono<AppEnv>().get("/", (c) => tell(c, `${"鑑".repeat(439)}😀`, "/"));
  const response = await app.request("http://localhost/");
  const cookie = /^shop-told=([^;]*)/.exec(response.headers.get("Set-Cookie") ?? "")?.[1] ?? "";
  expect(cookie.length).toBeLessThan(4_000);
  expect(decodeURIComponent(cookie)).toBe("鑑".repeat(439));
});
