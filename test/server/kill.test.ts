import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, inject, it, vi } from "vitest";
import { getPlatformProxy } from "wrangler";
import { LONG } from "../support/long.ts";
import { brokenRules } from "../support/rules.ts";
import { aCheckout, LOG } from "./checkout.ts";

type Checkout = Awaited<ReturnType<typeof aCheckout>>;

let shop: Checkout;

beforeAll(async () => {
  shop = await aCheckout(inject("state"));
});

afterAll(async () => {
  await shop.kill();
  shop.remove();
});

it("keeps every order it answered, and all invariants, when it is killed amid 200 orders at once", LONG, async () => {
  const { base_url, api_keys } = await shop.start();
  const headers = { Authorization: `Bearer ${api_keys.premium}`, "Content-Type": "application/json" };
  const list = await fetch(`${base_url}/api/v1/user/products?type=physical&in_stock=true&per_page=100`, { headers });
  const { data: products } = (await list.json()) as { data: { id: number; price: number; stock_quantity: number }[] };
  const plenty = products.filter(({ stock_quantity }) => stock_quantity >= 20);
  const answered: string[] = [];
  let interrupted = 0;
  let killed: Promise<void> | undefined;

  /** Orders one thing after the other until the server is gone, or has no more to give. */
  async function order(index: number): Promise<void> {
    const product = plenty[index % plenty.length];
    const body = JSON.stringify({
      items: [{ product_id: product?.id, quantity: 1, price: product?.price }],
      shipping_address: { name: "A", address: "B", city: "C", zip: "D" },
      payment_method: "paypal",
    });
    const response = await fetch(`${base_url}/api/v1/user/orders`, {
      method: "POST",
      headers: { ...headers, "Idempotency-Key": crypto.randomUUID() },
      body,
    });
    if (response.status !== 201) return;
    const { data } = (await response.json()) as { data: { number: string } };
    answered.push(data.number);
    if (answered.length >= 40) killed ??= shop.kill();
    await order(index);
  }

  await Promise.all(
    Array.from({ length: 200 }, (_, index) =>
      order(index).catch(() => {
        interrupted++;
      }),
    ),
  );
  await killed;
  expect(answered.length).toBeGreaterThanOrEqual(40);
  expect(interrupted).toBeGreaterThan(0);

  const again = await shop.start();
  expect(again.api_keys).toEqual(api_keys);
  const kept = new Set<string>();
  for (let page = 1, pages = 1; page <= pages; page++) {
    const response = await fetch(`${base_url}/api/v1/user/account/orders?per_page=100&page=${page}`, { headers });
    const list = (await response.json()) as { data: { number: string }[]; pagination: { total_pages: number } };
    for (const { number } of list.data) kept.add(number);
    pages = list.pagination.total_pages;
  }
  expect(answered.filter((number) => !kept.has(number))).toEqual([]);
  await shop.kill();
  expect(await brokenInvariantsOf(shop.folder)).toEqual({});
});

it("expires an unpaid order by itself after a start, and warns of nothing", LONG, async () => {
  await withDatabase(shop.folder, (db) => db.exec("UPDATE orders SET expires_at = 1 WHERE status = 'pending'"));
  const { base_url, api_keys } = await shop.start();
  const headers = { Authorization: `Bearer ${api_keys.premium}` };
  const address = `${base_url}/api/v1/user/account/orders?per_page=1`;
  await vi.waitFor(async () => {
    const response = await fetch(`${address}&status=pending`, { headers });
    expect(await response.json()).toMatchObject({ data: [] });
  }, 60_000);
  expect(await (await fetch(`${address}&status=expired`, { headers })).json()).toMatchObject({
    data: [{ status: "expired" }],
  });
  expect(readFileSync(join(shop.folder, LOG), "utf8")).not.toMatch(/warning|out of date/i);
});

const brokenInvariantsOf = (folder: string) => withDatabase(folder, brokenRules);

/** Opens the database of a shop that is not running. */
async function withDatabase<T>(folder: string, use: (db: D1Database) => Promise<T>): Promise<T> {
  const proxy = await getPlatformProxy<Env>({
    configPath: join(folder, "wrangler.toml"),
    persist: { path: join(folder, ".wrangler/state/v3") },
  });
  const result = await use(proxy.env.DB);
  await proxy.dispose();
  return result;
}
