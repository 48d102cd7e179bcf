import { env, exports } from "cloudflare:workers";
import { beforeAll, expect, it } from "vitest";
import { inBulk, productRebuilds, served } from "../../scripts/bench/catalogue.ts";
import { createStorefront } from "../../src/client/index.ts";
import { ORIGIN } from "../support/call.ts";
import { aKey, someProducts } from "../support/shop.ts";

const COUNT = 10_000;

beforeAll(async () => {
  const run = served(env.DB);
  await inBulk(run, ["products"], productRebuilds, () => run(insertServices, COUNT, Date.now()));
});

it("iterates 10,000 products, a page at a time", async () => {
  const { key } = await aKey({ tier: "premium" });
  let requests = 0;
  const shop = createStorefront({
    baseUrl: ORIGIN,
    credential: key,
    fetch: (request) => {
      requests++;
      return exports.default.fetch(request);
    },
  });
  const seen = new Set<number>();
  for await (const { id } of shop.each("/api/v1/user/products", { params: { query: { type: "service" } } })) {
    seen.add(id);
    if (seen.size === 1) expect(requests).toBe(1);
  }
  expect(seen.size).toBe(COUNT);
  expect(requests).toBe(COUNT / 100);
});

it("iterates lists by cursor, also those without pages", async () => {
  const { key } = await aKey({ permissions: ["products:read_all", "events:read"], tier: "premium" });
  const api = exports.default;
  const shop = createStorefront({ baseUrl: ORIGIN, credential: key, fetch: (request) => api.fetch(request) });
  const rows = await someProducts(5);
  const made = rows.map(({ id }) => id);
  const after_id = Math.min(...made) - 1;
  const updated_since = new Date(rows[0]?.updatedAt ?? 0).toISOString();
  const read = async (query: { updated_since?: string; after_id: number }) => {
    const ids: number[] = [];
    const params = { query: { ...query, per_page: 2, variants: "true" } } as const;
    for await (const { id } of shop.each("/api/v1/admin/products", { params })) ids.push(id);
    return ids;
  };
  expect(await read({ after_id })).toEqual(made);
  expect(await read({ after_id, updated_since })).toEqual(made);
  const subject = `product:${made[0]}`;
  const types: string[] = [];
  for await (const { type } of shop.each("/api/v1/admin/events", { params: { query: { subject } } })) types.push(type);
  expect(types).toEqual(["product.created"]);
});

const insertServices = `
  WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?1)
  INSERT INTO products (name, slug, sku, type, status, description, price, images, requires_shipping, manage_stock,
    stock_quantity, metadata, created_at, updated_at)
  SELECT 'Service ' || n, 'many-' || n, 'MANY-' || n, 'service', 'active', '', n, '[]', 0, 0, NULL, '{}', ?2, ?2 FROM numbers`;
