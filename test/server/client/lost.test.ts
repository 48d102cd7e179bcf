import { createHash, randomUUID } from "node:crypto";
import { expect, inject, it as vitestIt } from "vitest";
import { createStorefront } from "../../../src/client/index.ts";
import { aLossyLine } from "./lossy-line.ts";

const it = vitestIt
  .extend("shop", () => inject("shop"))
  .extend("lossy", ({ shop }, { onCleanup }) => async (losses: number[]) => {
    const line = await aLossyLine(shop.base_url, losses);
    onCleanup(line.close);
    return line;
  });

it("charges an order once whose first answer was lost", async ({ shop, lossy }) => {
  const backend = createStorefront({ baseUrl: shop.base_url, credential: shop.api_keys.premium });
  const account = { email: `${randomUUID()}@shop.example`, password: "a password that is long", name: "Lou" };
  const { data: session } = await backend.POST("/api/v1/user/auth/signup", { body: account });
  const credit = { params: { path: { id: session.user.id } }, body: { amount: 500, reason: "To spend" } };
  await backend.POST("/api/v1/admin/users/{id}/credit", credit);
  const query = { type: "physical", in_stock: "true", max_price: 100 } as const;
  const { data: products } = await backend.GET("/api/v1/user/products", { params: { query } });

  const line = await lossy([0]);
  const shopper = createStorefront({ baseUrl: line.baseUrl, credential: session.token });
  const { data: order, response } = await shopper.POST("/api/v1/user/orders", {
    body: {
      items: products.slice(0, 1).map(({ id, price }) => ({ product_id: id, quantity: 1, price })),
      shipping_address: { name: "Lou", address: "1 Quay Street", city: "Bristol", zip: "BS1 1AA" },
      payment_method: "wallet",
    },
  });
  expect([line.opened(), response.headers.get("Idempotent-Replayed")]).toEqual([2, "true"]);

  const { data: orders } = await shopper.GET("/api/v1/user/account/orders");
  expect(orders.map(({ number }) => number)).toEqual([order.number]);
  const { data: moves } = await shopper.GET("/api/v1/user/account/transactions");
  expect(moves.map(({ kind, amount }) => [kind, amount])).toEqual([
    ["charge", -order.total],
    ["credit", 500],
  ]);
  const { data: profile } = await shopper.GET("/api/v1/user/account/profile");
  expect(profile.wallet_balance).toBeCloseTo(500 - order.total, 2);
});

it("does not send again what may have been done", async ({ shop, lossy }) => {
  const line = await lossy([0]);
  const backend = createStorefront({ baseUrl: line.baseUrl, credential: shop.api_keys.premium });
  const lost = backend.POST("/api/v1/admin/categories", { body: { name: `Lost ${randomUUID()}` } });
  await expect(lost).rejects.toThrow(TypeError);
  expect(line.opened()).toBe(1);
});

it("goes on with a download where it broke off, twice, and has the whole file", async ({ shop, lossy }) => {
  const line = await lossy([3_000_000, 2_000_000]);
  const shopper = createStorefront({ baseUrl: line.baseUrl });
  const { data: session } = await shopper.POST("/api/v1/user/auth/login", { body: shop.customer });
  const customer = shopper.as(session.token);
  const file = await aLargeFile(customer);
  const download = await customer.download(file.id);
  const hash = createHash("sha256");
  for await (const chunk of download.body) hash.update(chunk);
  expect([line.opened(), hash.digest("hex")]).toEqual([3, file.sha256]);
  const { downloadsRemaining } = await customer.download(file.id);
  expect(downloadsRemaining).toBe((download.downloadsRemaining ?? 0) - 1);
});

async function aLargeFile(customer: ReturnType<typeof createStorefront>) {
  for await (const file of customer.each("/api/v1/user/files")) {
    if (file.access === "package" && file.can_download && file.size_bytes > 8_000_000) return file;
  }
  throw new Error("The demo's customer has no large file");
}
