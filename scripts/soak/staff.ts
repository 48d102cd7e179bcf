import { randomBytes } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import type { Schema } from "../../src/client/index.ts";
import { bearer, type Goods } from "../bench/requests.ts";
import { type Client, UnexpectedAnswer } from "./client.ts";
import { type KnownState, type Model, minor, type Order } from "./model.ts";
import { pick } from "./random.ts";
import type { Shop } from "./shop.ts";

/** Downloads allowed per unit of the digital product. */
export const DOWNLOADS = 3;

const ADMIN = "/api/v1/admin";
const GOODS = 40;
const STOCK = 100;
const FILE_BYTES = 20_000;
/** Number of products in an import. */
export const IMPORTED = 150;
const REFILLED = 5;

type World = { shop: Shop; client: Client; model: Model; webhookUrl: string };

/** The shop's staff and other systems, who work with a few API keys. Starts with products to sell and a webhook. */
export async function openStaff({ shop, client: { ask, fault }, model, webhookUrl }: World) {
  const keys = await shop.callers.newKeys(6, "premium", ["read", "write", "payments:write"]);
  const headers = () => bearer(pick(keys));
  const post = <Data>(kind: string, path: string, body: unknown, refusals: string[] = []) =>
    ask<Data>({ kind, method: "POST", path: ADMIN + path, headers: headers(), body, refusals });
  const put = <Data>(kind: string, path: string, body: unknown) =>
    ask<Data>({ kind, method: "PUT", path: ADMIN + path, headers: headers(), body });
  const read = <Data>(kind: string, path: string) => ask<Data>({ kind, path: ADMIN + path, headers: headers() });

  const file = new FormData();
  file.set("access", "package");
  file.set("published", "true");
  file.set("file", new Blob([randomBytes(FILE_BYTES)]), "song.bin");
  const { data: song } = await post<{ id: number }>("setup", "/files", file);
  const goods: Goods[] = [];
  for (let nth = 1; nth <= GOODS; nth++) {
    const product = { name: `Soak ${nth}`, sku: `SOAK-${nth}`, type: "physical", status: "active", price: 5 + nth };
    const { data } = await post<Schema["AdminProduct"]>("setup", "/products", { ...product, stock_quantity: STOCK });
    goods.push({ id: data.id, price: minor(data.price) });
    model.cameIn(data.id, STOCK);
  }
  const digital = { name: "Song", sku: "SONG", type: "digital", status: "active", price: 3, download_limit: DOWNLOADS };
  const { data: sold } = await post<Schema["AdminProduct"]>("setup", "/products", { ...digital, file_ids: [song.id] });
  const types = ["order.*", "shipment.*", "refund.*", "package.*"];
  const { data: webhook } = await post<{ secret: string }>("setup", "/webhooks", { url: webhookUrl, types });

  /** Orders for the next bulk action of each kind. */
  const bulk = { paid: [] as Waiter[], shipped: [] as Waiter[] };
  type Waiter = { known: KnownState; done: () => void };
  const inBulk = (kind: keyof typeof bulk, known: KnownState) =>
    new Promise<void>((done) => bulk[kind].push({ known, done }));

  async function ship(known: KnownState): Promise<void> {
    if (Math.random() < 0.3) return inBulk("shipped", known);
    await post("shipment", `/orders/${known.order.id}/shipments`, { carrier: "Post" });
    model.happened(known, "shipment.created", "order.shipped");
    if (Math.random() < 0.5) return;
    await put("completion", `/orders/${known.order.id}`, { status: "completed" });
    model.happened(known, "order.completed");
  }

  async function shipInParcels(known: KnownState): Promise<void> {
    const lines = known.order.items;
    for (const { id, quantity } of lines) {
      const items = [{ id: id, quantity }];
      await post("shipment", `/orders/${known.order.id}/shipments`, { carrier: "Post", items });
      model.happened(known, "shipment.created");
    }
    model.happened(known, "order.shipped");
  }

  /** Refunds a unit, or the whole order if it has no other, and restocks it. */
  async function refund(known: KnownState): Promise<void> {
    const [line] = known.order.items;
    if (!line) return;
    const body = { items: [{ id: line.id, quantity: 1 }], restock: true };
    const { data } = await post<Order>("refund", `/orders/${known.order.id}/refunds`, body);
    model.take(known, line.product_id, -1);
    if (known.charged > 0) known.charged -= minor(data.refunded_total);
    model.happened(known, "refund.created", "refund.succeeded");
  }

  async function edit(known: KnownState): Promise<void> {
    const [line, ...others] = known.order.items;
    if (!line) return;
    const items = [
      { id: line.id, quantity: line.quantity + 1 },
      ...others.map(({ id, quantity }) => ({ id, quantity })),
    ];
    const path = `/orders/${known.order.id}/edits`;
    const { data: quote } = await post<Schema["Quote"]>("edit quote", `${path}/quote`, { items });
    const notify = Math.random() < 0.5;
    const body = { items, expected_total: quote.total, notify };
    const { data, refused } = await post<Order>("edit", path, body, ["insufficient_stock"]);
    if (refused) return;
    known.order = data;
    model.take(known, line.product_id, 1);
    model.happened(known, "order.edited");
    if (notify) known.emails.push("order_edited");
  }

  async function cancel(known: KnownState): Promise<void> {
    await put("cancellation", `/orders/${known.order.id}`, { status: "cancelled" });
    known.held.clear();
    model.happened(known, "order.cancelled");
  }

  async function markPaid(known: KnownState): Promise<void> {
    if (Math.random() < 0.5) await inBulk("paid", known);
    else await put("payment by staff", `/orders/${known.order.id}`, { payment_status: "paid" });
    model.happened(known, "order.paid");
    known.emails.push("payment_received");
  }

  async function finished(id: number): Promise<void> {
    for (const startedAt = Date.now(); Date.now() - startedAt < 5 * 60_000; await setTimeout(1_000)) {
      const { data } = await read<Schema["Job"]>("job", `/jobs/${id}`);
      if (data.state === "queued" || data.state === "running") continue;
      if (data.state !== "completed" || data.failed > 0 || (data.total !== null && data.done !== data.total))
        fault(`job: ${JSON.stringify(data)}`);
      return;
    }
    fault(`job ${id} has not ended in five minutes`);
    throw new UnexpectedAnswer("job");
  }

  /** Marks the waiting orders as paid or shipped in one action. */
  async function changeOrders(kind: keyof typeof bulk, change: object): Promise<void> {
    const waiting = bulk[kind].splice(0);
    if (waiting.length === 0) return;
    const ids = waiting.map(({ known }) => known.order.id);
    const { data } = await post<Schema["Job"]>("bulk action", "/orders/bulk-actions", { ids, change });
    await finished(data.id);
    model.counts.bulk++;
    for (const { known, done } of waiting) {
      if (kind === "shipped") model.happened(known, "shipment.created", "order.shipped");
      done();
    }
  }

  async function refill(): Promise<void> {
    const ids = goods.map(({ id }) => id);
    const stock = { delta: REFILLED, reason: "Delivery" };
    const { data } = await post<Schema["Job"]>("bulk action", "/products/bulk-actions", { ids, stock });
    await finished(data.id);
    model.counts.bulk++;
    for (const id of ids) model.cameIn(id, REFILLED);
  }

  /** Imports the same products again, each time as a new version. */
  async function importProducts(): Promise<void> {
    const version = model.counts.imports + 1;
    const rows = Array.from(
      { length: IMPORTED },
      (_, nth) => `IMPORT-${nth},Imported ${nth} v${version},physical,${version}`,
    );
    const form = new FormData();
    form.set("file", new Blob([`sku,name,type,price\n${rows.join("\n")}\n`]), "products.csv");
    const { data: checked } = await post<Schema["Import"]>("import", "/imports/products", form);
    await finished(checked.check_job_id);
    const { data } = await post<Schema["Import"]>("import", `/imports/products/${checked.id}/start`, {});
    await finished(data.job_id ?? 0);
    model.counts.imports++;
  }

  /** Exports all orders, and finds each that was acknowledged before. */
  async function exportOrders(): Promise<void> {
    const before = [...model.orders.keys()];
    const { text } = await read("export", "/exports/orders/ndjson");
    const ids = new Set([...text.matchAll(/^{"id":(\d+),/gm)].map(([, id]) => Number(id)));
    const missing = before.filter((id) => !ids.has(id));
    if (missing.length > 0) fault(`an export of ${ids.size} orders lacks ${missing.length}: ${missing.slice(0, 10)}`);
    model.counts.exports++;
    model.counts.exported += ids.size;
  }

  /** Makes a backup, and compares its number of orders with those before and after. */
  async function backUp(): Promise<void> {
    const before = model.orders.size;
    const { data: job } = await post<Schema["Job"]>("backup", "/backups", {});
    await finished(job.id);
    const { data: status } = await read<{ backups: { id: string }[] }>("backup", "/backups");
    const { data } = await read<{ manifest: { tables: { name: string; rows: number }[] } }>(
      "backup",
      `/backups/${status.backups[0]?.id}`,
    );
    const held = data.manifest.tables.find(({ name }) => name === "orders")?.rows ?? 0;
    const [after] = await shop.query<{ orders: number }>("SELECT count(*) AS orders FROM orders");
    if (held < before || held > (after?.orders ?? 0))
      fault(`a backup has ${held} orders of ${before} to ${after?.orders}`);
    model.counts.backups++;
  }

  async function look(): Promise<void> {
    await read("staff list", "/orders?per_page=50");
    await read("staff list", `/search?q=guest-${Math.floor(Math.random() * 1_000)}`);
    await read("staff list", "/products?search=soak");
  }

  return {
    goods,
    digital: { id: sold.id, price: minor(sold.price) },
    fileId: song.id,
    secret: webhook.secret,
    ship,
    shipInParcels,
    refund,
    edit,
    cancel,
    markPaid,
    /** Recurring work, with its interval in seconds. */
    duties: [
      [5, () => changeOrders("paid", { payment_status: "paid" })],
      [5, () => changeOrders("shipped", { status: "shipped", shipment: { carrier: "Post" } })],
      [30, refill],
      [40, importProducts],
      [90, exportOrders],
      [120, backUp],
      [2, look],
    ] as [seconds: number, duty: () => Promise<void>][],
  };
}
export type Staff = Awaited<ReturnType<typeof openStaff>>;
