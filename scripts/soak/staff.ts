import { randomBytes } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import type { Schema } from "../../src/client/index.ts";
import { bearer, type Goods } from "../bench/requests.ts";
import { type Client, unless } from "./client.ts";
import type { Shop } from "./shop.ts";

/** Downloads allowed per unit of the digital product. */
export const DOWNLOADS = 3;

const GOODS = 40;
const STOCK = 100;
const REFILLED = 5;
const FILE_BYTES = 20_000;
/** Number of products in an import. */
export const IMPORTED = 150;

type Order = Schema["Order"];

/** The share of an order, which follows from its id, so that staff and buyers never change the same one. */
const shareOf = ({ id }: { id: number }): number => id % 10;
export const isLeftToBuyer = (order: { id: number }): boolean => shareOf(order) === 9;

/** The shop's staff and other systems. Starts with products to sell and a webhook. */
export async function openStaff(shop: Shop, client: Client, webhookUrl: string) {
  const key = await shop.newKey("read", "write", "payments:write");
  const staff = client.as(key);
  const counts = { bulkActions: 0, imports: 0, exports: 0, backups: 0 };
  /** Units added to the stock of all goods. */
  let units = 0;

  const file = new File([randomBytes(FILE_BYTES)], "song.bin");
  const { data: song } = await staff.POST("/api/v1/admin/files", {
    body: { access: "package", published: "true", file } as never,
  });
  const goods: Goods[] = [];
  for (let nth = 1; nth <= GOODS; nth++) {
    const { data } = await staff.POST("/api/v1/admin/products", {
      body: {
        ...{ name: `Soak ${nth}`, sku: `SOAK-${nth}`, type: "physical", status: "active" },
        ...{ price: 5 + nth, stock_quantity: STOCK },
      },
    });
    goods.push({ id: data.id, price: Math.round(data.price * 100) });
    units += STOCK;
  }
  const { data: digital } = await staff.POST("/api/v1/admin/products", {
    body: {
      ...{ name: "Song", sku: "SONG", type: "digital", status: "active", price: 3 },
      ...{ download_limit: DOWNLOADS, file_ids: [song.id] },
    },
  });
  const { data: webhook } = await staff.POST("/api/v1/admin/webhooks", {
    body: { url: webhookUrl, types: ["order.*"] },
  });

  async function finished(id: number | null): Promise<void> {
    for (const startedAt = Date.now(); id !== null && Date.now() - startedAt < 5 * 60_000; await setTimeout(1_000)) {
      const { data } = await staff.GET("/api/v1/admin/jobs/{id}", { params: { path: { id } } });
      if (data.state === "queued" || data.state === "running") continue;
      if (data.state !== "completed" || data.failed > 0) client.fault(`job: ${JSON.stringify(data)}`);
      return;
    }
    throw new Error(`Job ${id} has not ended in five minutes`);
  }

  /** Changes orders in one action. */
  async function changeAll(orders: Order[], change: Schema["OrderBulkUpdate"]["change"]): Promise<void> {
    if (orders.length === 0) return;
    const body = { ids: orders.map(({ id }) => id), change };
    const { data } = await staff.POST("/api/v1/admin/orders/bulk-actions", { body });
    await finished(data.id);
    counts.bulkActions++;
  }

  const lines = ({ items }: Order) => items.map(({ id, quantity }) => ({ id, quantity }));

  /** Marks transfers as paid. Some orders are edited before, and some are cancelled. */
  async function receivePayments(): Promise<void> {
    const query = { payment_method: "bank_transfer", status: "pending", per_page: 100 } as const;
    const { data } = await staff.GET("/api/v1/admin/orders", { params: { query } });
    for (const order of data.filter((one) => shareOf(one) < 2)) {
      const params = { path: { id: order.id } };
      if (shareOf(order) === 0) await staff.PUT("/api/v1/admin/orders/{id}", { params, body: { status: "cancelled" } });
      else await edit(order);
    }
    await changeAll(
      data.filter((order) => shareOf(order) > 0),
      { payment_status: "paid" },
    );
  }

  async function edit(order: Order): Promise<void> {
    const params = { path: { id: order.id } };
    const items = lines(order).map((line, at) => (at === 0 ? { ...line, quantity: line.quantity + 1 } : line));
    const { data: quote } = await staff.POST("/api/v1/admin/orders/{id}/edits/quote", { params, body: { items } });
    const body = { items, expected_total: quote.total, notify: true };
    await staff.POST("/api/v1/admin/orders/{id}/edits", { params, body }).catch(unless("insufficient_stock"));
  }

  /** Ships what is paid: some in a parcel for each line. Some orders are refunded instead. */
  async function ship(): Promise<void> {
    const query = { status: "processing", fulfillment_status: "unfulfilled", per_page: 100 } as const;
    const { data } = await staff.GET("/api/v1/admin/orders", { params: { query } });
    for (const order of data.filter((one) => shareOf(one) < 4)) {
      const params = { path: { id: order.id } };
      if (shareOf(order) === 0) {
        const body = { items: lines(order), restock: true };
        await staff.POST("/api/v1/admin/orders/{id}/refunds", { params, body });
        continue;
      }
      for (const line of lines(order))
        await staff.POST("/api/v1/admin/orders/{id}/shipments", { params, body: { carrier: "Post", items: [line] } });
      if (shareOf(order) === 1) await staff.PUT("/api/v1/admin/orders/{id}", { params, body: { status: "completed" } });
    }
    await changeAll(
      data.filter((order) => shareOf(order) >= 4 && !isLeftToBuyer(order)),
      { status: "shipped", shipment: { carrier: "Post" } },
    );
  }

  async function refill(): Promise<void> {
    const body = { ids: goods.map(({ id }) => id), stock: { delta: REFILLED, reason: "Delivery" } };
    const { data } = await staff.POST("/api/v1/admin/products/bulk-actions", { body });
    await finished(data.id);
    counts.bulkActions++;
    units += GOODS * REFILLED;
  }

  /** Imports the same products again, each time as a new version. */
  async function importProducts(): Promise<void> {
    const version = counts.imports + 1;
    const row = (nth: number) => `IMPORT-${nth},Imported ${nth} v${version},physical,${version}`;
    const rows = Array.from({ length: IMPORTED }, (_, nth) => row(nth));
    const file = new File([`sku,name,type,price\n${rows.join("\n")}\n`], "products.csv");
    const { data: checked } = await staff.POST("/api/v1/admin/imports/products", { body: { file } as never });
    await finished(checked.check_job_id);
    const params = { path: { id: checked.id } };
    const { data } = await staff.POST("/api/v1/admin/imports/products/{id}/start", { params, body: {} });
    await finished(data.job_id);
    counts.imports++;
  }

  /** Makes a backup, and an export whose orders are at least those of before. */
  async function copyOrders(): Promise<void> {
    const [before] = await shop.query<{ orders: number }>("SELECT count(*) AS orders FROM orders");
    const response = await client.send(
      new Request(`${shop.url}/api/v1/admin/exports/orders/ndjson`, { headers: bearer(key) }),
    );
    const exported = (await response.text()).trimEnd().split("\n").length;
    if (exported < (before?.orders ?? 0)) client.fault(`an export has ${exported} orders of ${before?.orders}`);
    counts.exports++;
    const { data: job } = await staff.POST("/api/v1/admin/backups", { body: {} });
    await finished(job.id);
    counts.backups++;
  }

  async function look(): Promise<void> {
    await staff.GET("/api/v1/admin/orders", { params: { query: { per_page: 50 } } });
    await staff.GET("/api/v1/admin/search", { params: { query: { q: `guest-${Math.floor(Math.random() * 1_000)}` } } });
  }

  /** Recurring work, with its interval in seconds. */
  const duties: [seconds: number, duty: () => Promise<void>][] = [
    [5, receivePayments],
    [5, ship],
    [30, refill],
    [40, importProducts],
    [120, copyOrders],
    [2, look],
  ];
  return {
    duties,
    counts,
    secret: webhook.secret,
    stock: {
      goods,
      digital: { id: digital.id, price: Math.round(digital.price * 100) },
      fileId: song.id,
      units: () => units,
    },
  };
}
export type Staff = Awaited<ReturnType<typeof openStaff>>;
export type Stock = Staff["stock"];
