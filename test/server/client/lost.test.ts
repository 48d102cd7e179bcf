import { createHash, randomUUID } from "node:crypto";
import { expect, inject, it as vitestIt } from "vitest";
import { createStorefront } from "../../../src/client/index.ts";
import { aBoughtFile, aShopper, findProduct, orderOf } from "../shopper.ts";
import { aLossyLine } from "./lossy-line.ts";

const it = vitestIt
  .extend("shop", () => inject("shop"))
  .extend("lossy", ({ shop }, { onCleanup }) => async (losses: number[]) => {
    const line = await aLossyLine(shop.base_url, losses);
    onCleanup(line.close);
    return line;
  });

it("charges an order once if the first response was lost", async ({ shop, lossy }) => {
  const { api, token } = await aShopper(shop);
  const product = await findProduct(api, "pocket notebooks");

  const line = await lossy([0]);
  const shopper = createStorefront({ baseUrl: line.baseUrl, credential: token });
  const { data: order, response } = await shopper.POST("/api/v1/user/orders", { body: orderOf(product) });
  expect([line.opened(), response.headers.get("Idempotent-Replayed")]).toEqual([2, "true"]);

  const { data: orders } = await shopper.GET("/api/v1/user/account/orders");
  expect(orders.map(({ number }) => number)).toEqual([order.number]);
  const { data: moves } = await shopper.GET("/api/v1/user/account/transactions");
  expect(moves.map(({ kind, amount }) => [kind, amount])).toEqual([
    ["charge", -product.price],
    ["credit", 500],
  ]);
  const { data: profile } = await shopper.GET("/api/v1/user/account/profile");
  expect(profile.wallet_balance).toBeCloseTo(500 - product.price, 2);
});

it("does not repeat a request that may have succeeded", async ({ shop, lossy }) => {
  const line = await lossy([0]);
  const backend = createStorefront({ baseUrl: line.baseUrl, credential: shop.api_keys.premium });
  const lost = backend.POST("/api/v1/user/auth/login", {
    body: { email: `${randomUUID()}@shop.example`, password: "a password that is long" },
  });
  await expect(lost).rejects.toThrow(TypeError);
  expect(line.opened()).toBe(1);
});

it("resumes a download where it broke off, twice, and has the whole file", async ({ shop, lossy }) => {
  const { api, token } = await aShopper(shop);
  const file = await aBoughtFile(api);
  const line = await lossy([3_000_000, 2_000_000]);
  const shopper = createStorefront({ baseUrl: line.baseUrl, credential: token });
  const download = await shopper.download(file.id);
  const hash = createHash("sha256");
  for await (const chunk of download.body) hash.update(chunk);
  expect([line.opened(), hash.digest("hex")]).toEqual([3, file.sha256]);
  const { downloadsRemaining } = await shopper.download(file.id);
  expect(downloadsRemaining).toBe((download.downloadsRemaining ?? 0) - 1);
});
