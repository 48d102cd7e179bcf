import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { buffer } from "node:stream/consumers";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { listen } from "../../../scripts/listen.ts";
import { LONG } from "../../support/long.ts";
import { runnable } from "../../support/programs.ts";
import { aCheckout, type OpenShop, withoutDelivery } from "../checkout.ts";
import { asAdmin, findProduct } from "../shopper.ts";

const run = promisify(execFile);
// The programs write hundreds of products, which other tests of a shared shop would meet.
let checkout: Awaited<ReturnType<typeof aCheckout>>;
let shop: OpenShop;

beforeAll(async () => {
  checkout = await aCheckout(inject("state"));
  shop = await checkout.start();
  await withoutDelivery(shop);
}, 120_000);

afterAll(async () => {
  await checkout.kill();
  checkout.remove();
});

/** Passes requests on to the shop and counts them. */
async function aCounter() {
  const sent: string[] = [];
  const line = await listen(async (request, response) => {
    sent.push(`${request.method} ${request.url?.split("?")[0]}`);
    const { host: _, connection: __, ...headers } = request.headers;
    const body = request.method === "GET" ? null : new Uint8Array(await buffer(request));
    const sentOn = new Headers(Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]));
    const answer = await fetch(new URL(request.url ?? "", shop.base_url), {
      method: request.method ?? "GET",
      headers: sentOn,
      body,
    });
    response.writeHead(
      answer.status,
      [
        ["Content-Type", "application/json"],
        ["Link", (answer.headers.get("Link") ?? "").replaceAll(shop.base_url, line.url)],
      ].flat(),
    );
    response.end(await answer.text());
  });
  return { ...line, requests: () => sent.splice(0) };
}

const PERMISSIONS = ["products:write", "products:read_all", "orders:read", "orders:write", "events:read"] as const;

describe.each(runnable)("the programs in $language", ({ language, command, fileOf }) => {
  it("keep 500 products, their stock and the orders in step with a shop by few requests", LONG, async () => {
    const api = await asAdmin(shop);
    const { data: key } = await api.POST("/api/v1/admin/api-keys", {
      body: { name: language, tier: "premium", permissions: [...PERMISSIONS] },
    });
    const counter = await aCounter();
    const cwd = mkdtempSync(join(tmpdir(), `${language}-`));
    const at = (name: string) => join(cwd, name);
    const write = (name: string, value: unknown) => writeFileSync(at(name), JSON.stringify(value));
    const read = (name: string) => JSON.parse(readFileSync(at(name), "utf8"));
    const env = { ...process.env, SHOP: counter.url, KEY: key.key };
    /** Runs a program, and returns its output and requests. */
    async function runs(name: string) {
      const { stdout } = await run(command, [resolve("examples/integrations", language, fileOf(name))], { cwd, env });
      return { stdout, requests: counter.requests() };
    }
    try {
      const rows = Array.from({ length: 500 }, (_, n) => ({
        ...{ sku: `${language}-${n}`, name: `Article ${n}`, price: n + 0.37, stock: n % 7 },
      }));
      write("products.json", rows);
      const batches = Array(5).fill("POST /api/v1/admin/products/batch");
      expect(await runs("synchronise")).toEqual({ stdout: "", requests: batches });
      const { data: jobs } = await api.GET("/api/v1/admin/jobs");
      // A program that starts again with the same list writes nothing twice.
      expect(await runs("synchronise")).toEqual({ stdout: "", requests: batches });
      expect((await api.GET("/api/v1/admin/jobs")).data.map(({ id }) => id)).toEqual(jobs.map(({ id }) => id));

      await runs("follow-catalogue");
      const copied = read("catalogue.json");
      const stockOf = (copy: typeof copied) =>
        new Map(Object.values<typeof copied>(copy.rows).map(({ sku, stock_quantity }) => [sku, stock_quantity]));
      expect([...stockOf(copied)]).toEqual(expect.arrayContaining(rows.map(({ sku, stock }) => [sku, stock])));

      // A night later 30 products have changed.
      write("catalogue.json", { ...copied, since: new Date().toISOString() });
      const changed = rows.slice(100, 130).map((row) => ({ ...row, stock: row.stock + 40 }));
      write("products.json", changed);
      expect((await runs("synchronise")).requests).toEqual(batches.slice(0, 1));
      expect((await runs("follow-catalogue")).requests).toEqual(["GET /api/v1/admin/products"]);
      expect(stockOf(read("catalogue.json")).get(`${language}-100`)).toBe((rows[100]?.stock ?? 0) + 40);

      const product = await findProduct(api.as(shop.api_keys.premium), "pocket notebooks");
      const order = async (paid: boolean) => {
        const { data } = await api.POST("/api/v1/admin/orders", {
          body: {
            customer: { email: `${language}@buyer.example`, name: "Bo" },
            items: [{ product_id: product.id, quantity: 2 }],
            shipping_address: { name: "Bo", address: "1 Quay Street", city: "Bristol", zip: "BS1 1AA", country: "GB" },
            payment_method: paid ? "cash" : "bank_transfer",
            paid,
          },
        });
        return data;
      };
      const [unpaid, paid] = [await order(false), await order(true)];
      const { data: events } = await api.GET("/api/v1/admin/events", {
        params: { query: { subject: `order:${unpaid.id}` } },
      });
      write("orders.json", { after_id: events[0]?.id, orders: {} });
      await runs("take-orders");
      const lines = [{ sku: product.sku, quantity: 2 }];
      const taken = { [paid.id]: { number: `SO-${paid.id}`, total: paid.total, lines } };
      expect(read("orders.json").orders).toEqual(taken);
      expect((await runs("take-orders")).requests).toEqual(["GET /api/v1/admin/events"]);
      // After a crash that lost the cursor, an order that was taken is only sent its number again.
      write("orders.json", { after_id: events[0]?.id, orders: taken });
      const numbering = ["GET /api/v1/admin/events", `PUT /api/v1/admin/orders/${paid.id}`];
      expect((await runs("take-orders")).requests).toEqual(numbering);

      const parcel = { carrier: "DHL", tracking_number: "00340434161094042557", order: `SO-${paid.id}` };
      write(
        "parcels.json",
        [1, 2].map((n) => ({ id: `${language}-${n}`, ...parcel, lines: [{ sku: product.sku, quantity: 1 }] })),
      );
      const shipped = { stdout: `${paid.number} partially_fulfilled\n${paid.number} fulfilled\n` };
      expect(await runs("ship-orders")).toMatchObject(shipped);
      expect(await runs("ship-orders")).toMatchObject(shipped);
      const { data: after } = await api.GET("/api/v1/admin/orders/{id}", { params: { path: { id: paid.id } } });
      expect(after.shipments).toHaveLength(2);
    } finally {
      await counter.close();
      rmSync(cwd, { recursive: true });
    }
  });
});
