import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, inject } from "vitest";
import { LONG } from "../../support/long.ts";
import { it } from "../browser/it.ts";
import { look } from "../browser/look.ts";
import { aCheckout, freePort } from "../checkout.ts";
import { aShopper, asAdmin, findProduct, orderOf } from "../shopper.ts";
import { shopperAt, signIn, told } from "./example.ts";
import { openExample } from "./open.ts";

it(
  "keeps the catalogue until a webhook says that it changed, and marks an order that is on its way",
  LONG,
  async ({ aPage, onTestFinished }) => {
    const checkout = await aCheckout(inject("state"));
    onTestFinished(checkout.remove);
    const shop = await checkout.start();
    onTestFinished(checkout.kill);
    const [admin, shopper, port] = [await asAdmin(shop), await aShopper(shop), await freePort()];
    const types = ["product.*", "order.shipped"] as const;
    const { data: webhook } = await admin.POST("/api/v1/admin/webhooks", {
      body: { url: `http://localhost:${port}/webhooks`, types: [...types] },
    });
    const vars = join(shop.folder, "examples/storefront/.dev.vars");
    mkdirSync(dirname(vars), { recursive: true });
    writeFileSync(vars, `WEBHOOK_SECRET='${webhook.secret}'\n`);
    const { baseURL, close } = await openExample(shop, port);
    onTestFinished(close);

    const forged = await fetch(`${baseURL}/webhooks`, {
      method: "POST",
      body: "{}",
      headers: { "webhook-id": "evt_1" },
    });
    expect(forged.status).toBe(400);

    const product = await findProduct(shopper.api, "wrist strap");
    const path = { params: { path: { id: product.id } } };
    const rename = (name: string) => admin.PUT("/api/v1/admin/products/{id}", { ...path, body: { name } });
    const enable = (enabled: boolean) =>
      admin.PUT("/api/v1/admin/webhooks/{id}", { params: { path: { id: webhook.id } }, body: { enabled } });
    const shown = async () =>
      /<h1>(.*?)<\/h1>/.exec(await (await fetch(`${baseURL}/products/${product.id}`)).text())?.[1];
    expect(await shown()).toBe(product.name);
    await enable(false);
    await rename("Braided Wrist Strap");
    await expect(shown()).resolves.toBe(product.name);
    await enable(true);
    await expect.poll(shown, { timeout: 20_000 }).toBe("Braided Wrist Strap");

    const { data: order } = await shopper.api.POST("/api/v1/user/orders", { body: orderOf(product) });
    await admin.PUT("/api/v1/admin/orders/{id}", {
      params: { path: { id: order.id } },
      body: { status: "shipped", shipment: { carrier: "Royal Mail" } },
    });
    const page = await aPage(shopperAt(baseURL));
    await page.goto("/sign-in?next=/orders");
    await signIn(page, shopper);
    await told(page, "Welcome, Lou Lossy.");
    const marked = async () => {
      await page.goto("/orders");
      return page.getByText("On its way to you").count();
    };
    await expect.poll(marked).toBe(1);
    await look(page, "example-order-on-its-way");
    await page.getByRole("link", { name: order.number }).click();
    await page.waitForURL(`/orders/${order.id}`);
    await expect.poll(marked).toBe(0);
  },
);
