import { join } from "node:path";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { getPlatformProxy } from "wrangler";
import { inBulk, served } from "../../../scripts/bench/catalogue.ts";
import { createStorefront } from "../../../src/client/index.ts";
import { aCheckout } from "../checkout.ts";

const COUNT = 10_000;

let checkout: Awaited<ReturnType<typeof aCheckout>>;

beforeAll(async () => {
  checkout = await aCheckout(inject("state"));
  const proxy = await getPlatformProxy<Env>({
    configPath: join(checkout.folder, "wrangler.toml"),
    persist: { path: join(checkout.folder, ".wrangler/state/v3") },
  });
  const { DB } = proxy.env;
  await inBulk(served(DB), () => DB.prepare(insertServices).bind(COUNT, Date.now()).run());
  await proxy.dispose();
});

afterAll(async () => {
  await checkout.kill();
  checkout.remove();
});

it("iterates 10,000 products, a page at a time", async () => {
  const { base_url, api_keys } = await checkout.start();
  let requests = 0;
  const shop = createStorefront({
    baseUrl: base_url,
    credential: () => api_keys.premium,
    fetch: (request) => {
      requests++;
      return fetch(request);
    },
  });
  const seen = new Set<number>();
  for await (const { id, sku } of shop.each("/api/v1/user/products", { params: { query: { type: "service" } } })) {
    if (sku.startsWith("MANY-")) seen.add(id);
    if (seen.size === 1) expect(requests).toBe(1);
  }
  expect(seen.size).toBe(COUNT);
  expect(requests).toBe(Math.ceil(COUNT / 100) + 1);
});

const insertServices = `
  WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?1)
  INSERT INTO products (name, slug, sku, type, status, description, price, images, requires_shipping, manage_stock,
    stock_quantity, metadata, created_at, updated_at)
  SELECT 'Service ' || n, 'many-' || n, 'MANY-' || n, 'service', 'active', '', n, '[]', 0, 0, NULL, '{}', ?2, ?2 FROM numbers`;
