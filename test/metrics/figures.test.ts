import { env, exports } from "cloudflare:workers";
import { beforeEach, expect, it, onTestFinished } from "vitest";
import { app } from "../../src/app.ts";
import { DAY_MS } from "../../src/domain/time.ts";
import { requestCounts } from "../../src/platform/db/schema.ts";
import { insertRows } from "../../src/platform/db/statements.ts";
import { deprecations } from "../../src/platform/http/deprecations.ts";
import { deleteOldRequestCounts } from "../../src/platform/metrics/figures.ts";
import { flushRequestCounts } from "../../src/platform/metrics/record.ts";
import { call, ORIGIN, requestTo } from "../support/call.ts";
import { anAdministrator } from "../support/panel.ts";
import { asAdministrator } from "../support/settings.ts";
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

const today = () => Math.floor(Date.now() / DAY_MS) * DAY_MS;

const LIST = "GET /api/v1/user/products";
const ORDER = "POST /api/v1/user/orders";

/** A key with requests today, 89 days ago, and 90 days ago, which no longer counts. */
async function aUsedKey() {
  const { id } = await aKey();
  const day = (age: number, route: string, counts: Partial<typeof requestCounts.$inferInsert> & { lastAt: number }) =>
    ({ period: "day", caller: `api_key:${id}`, start: today() - age * DAY_MS, route, version: "", ...counts }) as const;
  const rows = [
    day(0, LIST, {
      requests: 100,
      refused: 7,
      clientErrors: 2,
      serverErrors: 1,
      lastAt: today() + 5,
      to10: 90,
      to500: 10,
    }),
    day(89, LIST, { requests: 1_200, refused: 0, clientErrors: 0, serverErrors: 0, lastAt: 1, to10: 1_200, to500: 0 }),
    day(89, ORDER, { requests: 3, refused: 0, clientErrors: 3, serverErrors: 0, lastAt: 2, to10: 0, to500: 3 }),
    day(90, ORDER, { requests: 9, refused: 0, clientErrors: 9, serverErrors: 0, lastAt: 1, to10: 9, to500: 0 }),
  ];
  await db.run(insertRows(requestCounts, rows));
  return id;
}

it("returns a key's requests of 90 days by day and by route", async () => {
  const id = await aUsedKey();
  await aUsedKey();
  const { status, body } = await call(`GET /admin/api-keys/${id}/requests`, { as: await asAdministrator() });
  expect(status).toBe(200);
  const { days, routes } = body.data;
  expect(days).toHaveLength(90);
  const dayOf = (age: number) => new Date(today() - age * DAY_MS).toISOString().slice(0, 10);
  expect(days.at(-1)).toEqual({
    day: dayOf(0),
    requests: 100,
    refused: 7,
    client_errors: 2,
    server_errors: 1,
    p50_ms: 8,
    p95_ms: 375,
  });
  expect(days[0]).toMatchObject({ day: dayOf(89), requests: 1_203, client_errors: 3 });
  expect(days[1]).toMatchObject({ day: dayOf(88), requests: 0, p50_ms: null, p95_ms: null });
  expect(routes).toMatchObject([
    {
      route: LIST,
      requests: 1_300,
      refused: 7,
      client_errors: 2,
      server_errors: 1,
      last_used_at: new Date(today() + 5).toISOString(),
    },
    { route: ORDER, requests: 3, client_errors: 3, p50_ms: 375 },
  ]);
});

it("names the deprecated operations that a key uses, whose responses announce their end", async () => {
  deprecations[LIST] = { since: "2026-12-01", sunset: "2027-06-01", see: "https://shop.test/docs/#changes" };
  onTestFinished(() => void Reflect.deleteProperty(deprecations, LIST));
  const id = await aUsedKey();
  const as = (await aKey()).key;
  const { body, headers } = await call("GET /products", { as });
  expect([body.status, headers.get("Deprecation"), headers.get("Sunset")]).toEqual([
    "success",
    `@${Date.UTC(2026, 11, 1) / 1000}`,
    "Tue, 01 Jun 2027 00:00:00 GMT",
  ]);
  expect(headers.get("Link")).toMatch(/rel="first".*, <https:\/\/shop\.test\/docs\/#changes>; rel="deprecation"$/);
  expect((await call("GET /categories", { as })).headers.get("Deprecation")).toBeNull();
  const used = await call(`GET /admin/api-keys/${id}/requests`, { as: await asAdministrator() });
  expect(used.body.data.routes).toMatchObject([
    { route: LIST, sunset: "2027-06-01" },
    { route: ORDER, sunset: null },
  ]);
  const page = await (await anAdministrator()).get(`/admin/api-keys/${id}`);
  expect(page.html).toContain("Deprecated, ends 2027-06-01");
});

it("is 404 for an unknown key", async () => {
  expect((await call("GET /admin/api-keys/999999/requests", { as: await asAdministrator() })).status).toBe(404);
});

it("shows a key's requests on its page", async () => {
  const id = await aUsedKey();
  const { get } = await anAdministrator();
  const { html } = await get(`/admin/api-keys/${id}`);
  const rows = html.split('aria-label="Requests by route"')[1] ?? "";
  const cells = [...rows.matchAll(/<td[^>]*>(.*?)<\/td>/gs)].map(([, cell = ""]) => cell.replaceAll(/<[^>]*>/g, ""));
  const used = expect.any(String);
  expect(cells.slice(0, 14)).toEqual([
    ...[LIST, used, "1,300", "7", "3", "8 ms", "10 ms"],
    ...[ORDER, used, "3", "–", "3", "375 ms", "488 ms"],
  ]);
  expect(html).toContain(": 90 answered, 10 refused or failed");
});

it("shows that a key was not used", async () => {
  const { id } = await aKey();
  const { get } = await anAdministrator();
  expect((await get(`/admin/api-keys/${id}`)).html).toContain("No requests in the last 90 days.");
});

it("does not call a key unused whose requests are still to be counted", async () => {
  const { id, key } = await aKey();
  await call("GET /products", { as: key });
  const { get } = await anAdministrator();
  const { html } = await get(`/admin/api-keys/${id}`);
  expect(html).toContain("Not counted yet: requests are added within a minute.");
  expect(html).not.toContain("No requests in the last");
});
