import { env, exports } from "cloudflare:workers";
import { beforeEach, expect, it } from "vitest";
import { app } from "../../src/app.ts";
import { DAY_MS } from "../../src/domain/time.ts";
import { requestCounts } from "../../src/platform/db/schema.ts";
import { deleteOldRequestCounts } from "../../src/platform/metrics/figures.ts";
import { flushRequestCounts } from "../../src/platform/metrics/record.ts";
import { call, ORIGIN, requestTo } from "../support/call.ts";
import { aKey, aUser, db } from "../support/shop.ts";
import { parseOpenMetrics } from "./support.ts";

const METRICS = `GET ${ORIGIN}/metrics`;

beforeEach(async () => {
  await flushRequestCounts(env);
  await db.delete(requestCounts);
});

async function scrape() {
  await flushRequestCounts(env);
  const { key } = await aKey({ permissions: ["metrics:read"] });
  const answer = await exports.default.fetch(requestTo(METRICS, { as: key }));
  expect(answer.status).toBe(200);
  expect(answer.headers.get("Content-Type")).toBe("application/openmetrics-text; version=1.0.0; charset=utf-8");
  // text() would warn, because the type is not text.
  return parseOpenMetrics(new TextDecoder().decode(await answer.arrayBuffer()));
}

it("counts requests by route, caller and status, and how long they took", async () => {
  const { key } = await aKey();
  await Promise.all(Array.from({ length: 12 }, () => call("GET /products", { as: key })));
  await call("GET /products/99999999", { as: key });
  await call("GET /products");
  const families = await scrape();
  const route = "/api/v1/user/products";
  expect(families.get("storefront_http_requests")?.samples).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ labels: { method: "GET", route, caller: "api_key", code: "2xx" }, value: 12 }),
      expect.objectContaining({ labels: { method: "GET", route, caller: "anonymous", code: "4xx" }, value: 1 }),
      expect.objectContaining({
        labels: { method: "GET", route: `${route}/{id}`, caller: "api_key", code: "4xx" },
        value: 1,
      }),
    ]),
  );
  expect(families.get("storefront_http_request_duration_seconds")?.samples).toContainEqual({
    name: "storefront_http_request_duration_seconds_count",
    labels: { method: "GET", route },
    value: 13,
  });
  const ofQueues = families.get("storefront_queue_items")?.samples.map(({ labels }) => labels.queue);
  expect(ofQueues).toContain("emails");
  expect(families.get("storefront_last_backup_timestamp_seconds")?.samples).toHaveLength(1);
  expect(families.get("storefront_database_size_bytes")?.samples[0]?.value).toBeGreaterThan(100_000);
});

it("counts refusals beyond a limit", async () => {
  const { key } = await aKey();
  await Promise.all(Array.from({ length: 105 }, () => call("GET /categories", { as: key })));
  const [sample] = (await scrape()).get("storefront_rate_limited")?.samples ?? [];
  expect(sample?.labels).toEqual({ method: "GET", route: "/api/v1/user/categories", caller: "api_key" });
  expect(sample?.value).toBeGreaterThan(0);
});

it("has only labels of the code's own routes, whatever is requested", async () => {
  for (const path of ['/a"b', "/api/v1/user/products/%0A%22", "/x\\y", `/${"long".repeat(90)}`, "/feeds/a.txt?key=b"])
    await call(`GET ${ORIGIN}${path}`);
  const patterns = (await app.routes()).map(({ path }) => path.replaceAll(/:(\w+)(\{[^}]*\})?/g, "{$1}"));
  const samples = [...(await scrape()).values()].flatMap(({ samples: own }) => own);
  const routes = samples.flatMap(({ labels: { route } }) => route ?? []);
  expect(routes.length).toBeGreaterThan(3);
  for (const route of routes) expect([...patterns, "unmatched", "OPTIONS"]).toContain(route);
});

it("has counters that never go down, although days are deleted", async () => {
  const { key } = await aKey();
  await call("GET /products", { as: key });
  const count = async () =>
    (await scrape()).get("storefront_http_requests")?.samples.find(({ labels }) => labels.caller === "api_key")?.value;
  const before = await count();
  await deleteOldRequestCounts(db, Date.now() + 365 * DAY_MS);
  expect(await db.$count(requestCounts)).toBeGreaterThan(0);
  expect(await count()).toBeGreaterThanOrEqual(before ?? 0);
});

it("is available to keys with metrics:read, and to staff who may read everything", async () => {
  const permissions = ["metrics:write", "products:read", "settings:read", "write", "payments:read"];
  const refused = await aKey({ permissions });
  expect((await call(METRICS)).status).toBe(401);
  expect((await call(METRICS, { as: "sfk_forged" })).status).toBe(401);
  const { status, body } = await call(METRICS, { as: refused.key });
  expect([status, body.code, body.details]).toEqual([
    403,
    "insufficient_scope",
    [expect.objectContaining({ permission: "metrics:read" })],
  ]);
  expect((await call(METRICS, { as: (await aKey({ permissions: ["read"] })).key })).status).toBe(200);
  for (const [role, expected] of [
    ["customer", 403],
    ["catalogue", 403],
    ["support", 403],
    ["viewer", 200],
    ["admin", 200],
  ] as const)
    expect((await call(METRICS, { as: (await aUser({ role })).token })).status, role).toBe(expected);
});

it("answers only GET and HEAD", async () => {
  const { key } = await aKey();
  expect((await call(`HEAD ${ORIGIN}/metrics`, { as: key })).status).toBe(200);
  expect((await call(`POST ${ORIGIN}/metrics`, { as: key })).status).toBe(405);
});
