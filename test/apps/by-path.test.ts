import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { Hono } from "hono";
import { expect, it } from "vitest";
import { byPath } from "../../src/apps/by-path.ts";
import type { AppEnv } from "../../src/platform/auth/gates.ts";

const named = (name: string) => new Hono<AppEnv>().get("*", (c) => c.text(name));

/** Two apps, and a record of each time the second was loaded. */
function apps() {
  const loads: string[] = [];
  const load = async () => {
    loads.push("orders");
    return named("orders");
  };
  const app = byPath([{ paths: /^\/orders(\/|$)/, load }], named("catalogue"));
  const get = async (path: string) =>
    (await app.fetch(new Request(`https://shop.test${path}`), env, createExecutionContext())).text();
  return { app, get, loads };
}

it("loads an app with its first request, and once", async () => {
  const { get, loads } = apps();
  expect(await get("/products")).toBe("catalogue");
  expect(loads).toEqual([]);
  expect(await get("/orders/7")).toBe("orders");
  expect(await get("/orders")).toBe("orders");
  expect(loads).toEqual(["orders"]);
});

it("answers requests that arrive while an app is being loaded", async () => {
  const { get } = apps();
  expect(await Promise.all([get("/orders/1"), get("/orders/2"), get("/products")])).toEqual([
    "orders",
    "orders",
    "catalogue",
  ]);
});

it("finds an app however its path is written, and only that app", async () => {
  const { get } = apps();
  expect(await get("/%6Frders/7")).toBe("orders");
  expect(await get("/orders?page=2")).toBe("orders");
  expect(await get("/ordersheet")).toBe("catalogue");
});

it("knows the routes of every app, loaded or not", async () => {
  expect((await apps().app.routes()).map(({ path }) => path)).toEqual(["/*", "/*"]);
});
