import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env, tracing } from "cloudflare:workers";
import { and, eq, sql } from "drizzle-orm";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { app } from "../../src/app.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../src/domain/time.ts";
import { requestCounts } from "../../src/platform/db/schema.ts";
import { insertRows } from "../../src/platform/db/statements.ts";
import { deleteOldRequestCounts, requestFigures } from "../../src/platform/metrics/figures.ts";
import { flushRequestCounts } from "../../src/platform/metrics/record.ts";
import { call, callWith, ORIGIN, requestTo } from "../support/call.ts";
import { aKey, aProduct, aUser, db } from "../support/shop.ts";

beforeEach(async () => {
  await flushRequestCounts(env);
  await db.delete(requestCounts);
});

const flushed = async (caller: string, period: "day" | "total" = "day") => {
  await flushRequestCounts(env);
  const rows = await db
    .select()
    .from(requestCounts)
    .where(and(eq(requestCounts.period, period), eq(requestCounts.caller, caller)))
    .orderBy(requestCounts.route);
  return Object.fromEntries(rows.map((row) => [row.route, row]));
};

it("counts concurrent requests exactly, by route and key", async () => {
  const [product, one, other] = [await aProduct(), await aKey(), await aKey({ permissions: ["carts:read"] })];
  await Promise.all([
    ...Array.from({ length: 20 }, () => call(`GET /products/${product.id}`, { as: one.key })),
    ...Array.from({ length: 5 }, () => call("GET /products", { as: one.key })),
    ...Array.from({ length: 3 }, () => call("GET /products/99999999999", { as: one.key })),
    ...Array.from({ length: 4 }, () => call("GET /products", { as: other.key })),
  ]);
  const list = "GET /api/v1/user/products";
  const item = "GET /api/v1/user/products/{id}";
  expect(await flushed(`api_key:${one.id}`)).toMatchObject({
    [item]: { requests: 23, clientErrors: 3, refused: 0, serverErrors: 0 },
    [list]: { requests: 5, clientErrors: 0 },
  });
  expect(await flushed(`api_key:${other.id}`)).toMatchObject({ [list]: { requests: 4, clientErrors: 4 } });
  expect(await flushed("api_key", "total")).toMatchObject({ [item]: { requests: 23 }, [list]: { requests: 9 } });

  await call("GET /products", { as: one.key });
  expect(await flushed(`api_key:${one.id}`)).toMatchObject({ [list]: { requests: 6 } });
});

it("counts early refusals", async () => {
  const user = await aUser();
  await call("GET /products", { as: "sfk_forged" });
  await call("GET /products", { as: "not a token" });
  await call("GET /nowhere", { as: user.token });
  await call("DELETE /products");
  await call(`OPTIONS ${ORIGIN}/api/v1/user/products`, {
    headers: { Origin: "https://a.example", "Access-Control-Request-Method": "GET" },
  });
  expect(await flushed("anonymous")).toMatchObject({
    "GET /api/v1/user/products": { requests: 2, clientErrors: 2 },
    unmatched: { requests: 1, clientErrors: 1 },
    OPTIONS: { requests: 1, clientErrors: 0 },
  });
  expect(await flushed("user")).toMatchObject({ unmatched: { requests: 1, clientErrors: 1 } });
});

it("counts a key's refusals beyond its limit under the route", async () => {
  const key = await aKey();
  const answers = await Promise.all(Array.from({ length: 105 }, () => call("GET /products", { as: key.key })));
  const refused = answers.filter(({ status }) => status === 429).length;
  expect(refused).toBeGreaterThan(0);
  expect(await flushed(`api_key:${key.id}`)).toMatchObject({
    "GET /api/v1/user/products": { requests: 105, refused, clientErrors: 0 },
  });
});

it("makes no row for anything that a client chooses", async () => {
  const lines = [
    "GET /products/1%27%22%0A{}",
    "GET /products/<script>",
    `GET ${ORIGIN}/${"x".repeat(500)}`,
    `GET ${ORIGIN}/api/v1/user/${"a/".repeat(50)}`,
    "PROPFIND /products",
    `GET ${ORIGIN}/feeds/secret.txt?key=secret`,
    `GET ${ORIGIN}/account/reset?token=secret`,
  ];
  for (const line of lines) await call(line);
  const rows = await flushed("anonymous");
  expect(Object.keys(rows)).toEqual([
    "GET /account/reset",
    "GET /api/v1/user/products/{id}",
    "GET /feeds/{file}",
    "unmatched",
  ]);
});

it("counts a tool's call once", async () => {
  const key = await aKey({ permissions: ["read"] });
  const call_ = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "list_products", arguments: {} } };
  const headers = { Accept: "application/json, text/event-stream" };
  await call(`POST ${ORIGIN}/mcp/admin`, { as: key.key, body: call_, headers });
  expect(Object.keys(await flushed(`api_key:${key.id}`))).toEqual(["POST /mcp/admin"]);
});

it("keeps the counts of a flush that fails", async () => {
  const key = await aKey();
  await call("GET /products", { as: key.key });
  const away = () => {
    throw new Error("D1_ERROR: away");
  };
  const broken = {
    ...env,
    DB: { prepare: away } as unknown as D1Database,
  };
  await expect(flushRequestCounts(broken)).rejects.toThrow();
  expect(await flushed(`api_key:${key.id}`)).toMatchObject({ "GET /api/v1/user/products": { requests: 1 } });
});

it("writes the counts after the response, once for many requests", async () => {
  const key = await aKey();
  const context = createExecutionContext();
  const bindings = { ...env, REQUEST_FLUSH_SECONDS: "1" };
  const answers = await Promise.all(
    Array.from({ length: 7 }, () => app.fetch(requestTo("GET /products", { as: key.key }), bindings, context)),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array(7).fill(200));
  expect(await db.$count(requestCounts)).toBe(0);
  await waitOnExecutionContext(context);
  const [row] = await db
    .select()
    .from(requestCounts)
    .where(eq(requestCounts.caller, `api_key:${key.id}`));
  expect(row).toMatchObject({ requests: 7 });
});

it("sends one point for each request to Analytics Engine, if the deployment has it", async () => {
  const [key, product] = [await aKey(), await aProduct()];
  const points: AnalyticsEngineDataPoint[] = [];
  const METRICS = { writeDataPoint: (point: AnalyticsEngineDataPoint) => points.push(point) };
  const options = { as: key.key, cf: { colo: "FRA" }, headers: { "x-d1-bookmark": "" } };
  await callWith({ METRICS }, `GET /products/${product.id}`, options);
  await callWith({ METRICS }, `GET /products/${product.id}`, options);
  await callWith({ METRICS }, "GET /nowhere");
  const version = env.VERSION.id;
  const route = "GET /api/v1/user/products/{id}";
  expect(points).toEqual([
    {
      indexes: [`api_key:${key.id}`],
      blobs: [route, "200", "miss", "FRA", "api_key", String(key.id), version],
      doubles: [200, expect.any(Number)],
    },
    {
      indexes: [`api_key:${key.id}`],
      blobs: [route, "200", "hit", "FRA", "api_key", String(key.id), version],
      doubles: [200, expect.any(Number)],
    },
    {
      indexes: ["anonymous"],
      blobs: ["unmatched", "404", "none", "", "anonymous", "", version],
      doubles: [404, expect.any(Number)],
    },
  ]);
});

const minute = (start: number, version: string, columns: object) =>
  ({ period: "minute", caller: "", start, route: "", version, lastAt: start, ...columns }) as const;

it("reports the figures of a time span by version", async () => {
  const now = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;
  await db
    .insert(requestCounts)
    .values([
      minute(now - 3 * MINUTE_MS, "old", { requests: 5, to5: 5 }),
      minute(now - 2 * MINUTE_MS, "old", { requests: 90, to50: 90 }),
      minute(now - MINUTE_MS, "old", { requests: 6, serverErrors: 1, to50: 6 }),
      minute(now - MINUTE_MS, "new", { requests: 4, serverErrors: 1, refused: 1, clientErrors: 1, to1000: 4 }),
    ]);
  expect(await requestFigures(db, { from: now - 2 * MINUTE_MS, to: now })).toEqual({
    requests: 100,
    refused: 1,
    clientErrors: 1,
    serverErrors: 2,
    errorRate: 0.02,
    p50: 38,
    p95: 50,
    versions: [
      expect.objectContaining({ version: "old", requests: 96, firstAt: now - 2 * MINUTE_MS }),
      expect.objectContaining({ version: "new", requests: 4, errorRate: 0.25, p95: 975 }),
    ],
  });
  expect(await requestFigures(db, { from: now - HOUR_MS, to: now - HOUR_MS / 2 })).toEqual({
    requests: 0,
    refused: 0,
    clientErrors: 0,
    serverErrors: 0,
    errorRate: 0,
    p50: null,
    p95: null,
    versions: [],
  });
});

it("keeps minutes for a week and days for 90 days", async () => {
  const now = 20_000 * DAY_MS;
  const day = (start: number) => ({ ...minute(start, "", {}), period: "day", caller: "user" }) as const;
  const total = { ...minute(0, "", {}), period: "total" } as const;
  const starts = [now - 7 * DAY_MS, now - 7 * DAY_MS - 1];
  const rows = [
    ...starts.map((start) => minute(start, "v", {})),
    ...[90, 91].map((days) => day(now - days * DAY_MS)),
    total,
  ];
  await db.run(insertRows(requestCounts, rows));
  await deleteOldRequestCounts(db, now);
  const left = await db.select({ start: sql<number>`start` }).from(requestCounts).orderBy(sql`start`);
  expect(left.map(({ start }) => start)).toEqual([0, now - 90 * DAY_MS, now - 7 * DAY_MS]);
});

afterEach(() => {
  vi.restoreAllMocks();
});

/** Stands in for the platform's span of a request, which tests do not have. */
function aSpan(isTraced: boolean) {
  const span = { isTraced, setAttribute: vi.fn(() => span), updateName: vi.fn(() => span) };
  vi.spyOn(tracing, "getActiveSpan").mockReturnValue(span as never);
  return span;
}

it("names the trace of a request after its route, with the request's id", async () => {
  const span = aSpan(true);
  const { key } = await aKey();
  const { headers } = await call("GET /products/99999999", { as: key });
  expect(span.setAttribute).toHaveBeenCalledWith("request_id", headers.get("X-Request-Id"));
  expect(span.updateName).toHaveBeenCalledWith("GET /api/v1/user/products/{id}");
});

it("ignores requests that are not traced", async () => {
  const span = aSpan(false);
  await call("GET /nowhere");
  expect(span.setAttribute).not.toHaveBeenCalled();
  expect(span.updateName).not.toHaveBeenCalled();
});
