import { env } from "cloudflare:workers";
import { beforeEach, expect, it, onTestFinished } from "vitest";
import { DAY_MS } from "../../src/domain/time.ts";
import { requestCounts } from "../../src/platform/db/schema.ts";
import { insertRows } from "../../src/platform/db/statements.ts";
import { deprecations } from "../../src/platform/http/deprecations.ts";
import { flushRequestCounts } from "../../src/platform/metrics/record.ts";
import { call } from "../support/call.ts";
import { anAdministrator } from "../support/panel.ts";
import { asAdministrator } from "../support/settings.ts";
import { aKey, db } from "../support/shop.ts";

beforeEach(async () => {
  await flushRequestCounts(env);
  await db.delete(requestCounts);
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
