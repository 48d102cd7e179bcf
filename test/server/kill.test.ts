import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { getPlatformProxy } from "wrangler";
import { brokenRules } from "../support/rules.ts";
import { aCheckout } from "./shop.ts";

type Checkout = Awaited<ReturnType<typeof aCheckout>>;

let shop: Checkout;

beforeAll(async () => {
  shop = await aCheckout();
});

afterAll(async () => {
  await shop.kill();
  shop.remove();
});

it("keeps every order it answered, and all invariants, when it is killed amid 200 orders at once", async () => {
  const { base_url, api_keys } = await shop.start();
  const headers = { Authorization: `Bearer ${api_keys.premium}`, "Content-Type": "application/json" };
  const list = await fetch(`${base_url}/api/v1/user/products?type=physical&in_stock=true&per_page=100`, { headers });
  const { data: products } = (await list.json()) as { data: { id: number; price: number; stock_quantity: number }[] };
  const plenty = products.filter(({ stock_quantity }) => stock_quantity >= 20);
  const answered: string[] = [];
  let killed: Promise<void> | undefined;

  await Promise.allSettled(
    Array.from({ length: 200 }, async (_, index) => {
      const product = plenty[index % plenty.length];
      const body = JSON.stringify({
        items: [{ product_id: product?.id, quantity: 1, price: product?.price }],
        shipping_address: { name: "A", address: "B", city: "C", zip: "D" },
        payment_method: "paypal",
      });
      const response = await fetch(`${base_url}/api/v1/user/orders`, { method: "POST", headers, body });
      if (response.status !== 201) return;
      const { data } = (await response.json()) as { data: { number: string } };
      answered.push(data.number);
      if (answered.length === 40) killed = shop.kill();
    }),
  );
  await killed;
  expect(killed, "the server was killed while orders were under way").toBeDefined();
  expect(answered.length).toBeLessThan(200);

  const again = await shop.start();
  expect(again.api_keys).toEqual(api_keys);
  const kept = new Set<string>();
  for (let page = 1; page <= 2; page++) {
    const response = await fetch(`${base_url}/api/v1/user/account/orders?per_page=100&page=${page}`, { headers });
    const { data } = (await response.json()) as { data: { number: string }[] };
    for (const { number } of data) kept.add(number);
  }
  expect(answered.filter((number) => !kept.has(number))).toEqual([]);
  await shop.kill();
  expect(await brokenInvariantsOf(shop.folder)).toEqual({});
});

async function brokenInvariantsOf(folder: string) {
  const proxy = await getPlatformProxy<Env>({
    configPath: join(folder, "wrangler.toml"),
    persist: { path: join(folder, ".wrangler/state/v3") },
  });
  const broken = await brokenRules(proxy.env.DB);
  await proxy.dispose();
  return broken;
}
