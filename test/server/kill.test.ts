import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, expect, inject, it, onTestFinished, vi } from "vitest";
import { getPlatformProxy } from "wrangler";
import { asD1, databasePath, openDatabase, STATE } from "../../scripts/database/local.ts";
import { env as scriptEnvironment } from "../../scripts/local.ts";
import { deleteOrphanedObjects } from "../../src/downloads/files/orphaned-objects.ts";
import { connect } from "../../src/platform/db/client.ts";
import { LONG } from "../support/long.ts";
import { strayObjects } from "../support/objects.ts";
import { brokenRules } from "../support/rules.ts";
import { fromAnAddress } from "./an-address.ts";
import { aCheckout, LOG, type OpenShop, withoutDelivery } from "./checkout.ts";
import { aReceiver, type Receiver } from "./receiver.ts";
import { upload } from "./uploads.ts";

// Each test continues with the same shop in the state the previous one left, because restarts take most of the time.

const MB = 1_000_000;
const DAY_MS = 24 * 60 * 60 * 1000;

const FILES = "SELECT r2_key FROM files ORDER BY r2_key";

let shop: Awaited<ReturnType<typeof aCheckout>>;
let open: OpenShop;
let files: unknown[];
let unpaid: number | bigint;
let receivers: Receiver[];
/** Ids of the receivers' webhooks. */
const webhooks: number[] = [];
/** The last event of an order that was written before the endpoint was added. */
let seeded: number;

beforeAll(async () => {
  shop = await aCheckout(inject("state"));
});

afterAll(async () => {
  await shop.kill();
  shop.remove();
  await Promise.all(receivers.map(({ close }) => close()));
});

// biome-ignore lint/suspicious/noExplicitAny: what an answer holds is what the tests are about
type Answered = { data: any };

/** An administrator's request to the running shop. */
async function administer(line: string, body?: unknown) {
  const [method = "", path = ""] = line.split(" ");
  const ask = (address: string, init: { method: string; body?: unknown; as?: string | undefined }): Promise<Answered> =>
    fetch(`${open.base_url}/api/v1${address}`, {
      method: init.method,
      headers: {
        "Content-Type": "application/json",
        ...fromAnAddress(),
        ...(init.as && { Authorization: `Bearer ${init.as}` }),
      },
      ...(init.body !== undefined && { body: JSON.stringify(init.body) }),
    }).then((answer) => answer.json() as Promise<Answered>);
  token ??= (await ask("/user/auth/login", { method: "POST", body: open.admin })).data.token;
  return ask(`/admin${path}`, { method, body, as: token });
}
let token: string | undefined;

/** Adds a webhook endpoint for order events. */
async function subscribe(receiver: Receiver): Promise<void> {
  const { data } = await administer("POST /webhooks", { url: receiver.url, types: ["order.*"] });
  receiver.signedBy(data.secret);
  webhooks.push(data.id);
}

/**
 * Sends deliveries now that failed more often than the receiver refuses them, as they may on a machine so busy that attempts
 * time out. Their next attempt would be minutes later.
 */
async function retryDelayed(webhook: number): Promise<void> {
  const { data } = await administer(`GET /webhooks/${webhook}/deliveries?state=pending&per_page=100`);
  const delayed = data.filter(
    (delivery: { next_attempt_at: string | null; attempts: unknown[] }) =>
      delivery.next_attempt_at !== null && delivery.attempts.length > 1,
  );
  for (const { id } of delayed) await administer(`POST /webhooks/${webhook}/deliveries/${id}/retry`);
}

/** Signs the demo's customer in, with money in the wallet, at a shop that invoices orders as they are paid. */
async function aPayingCustomer(): Promise<string> {
  const address = { name: "Lamp & Co", address: "1 Mill Lane", city: "Leeds", zip: "LS1 4DY", country: "GB" };
  await administer("PUT /shop", { address, invoice_moment: "payment" });
  const { email, password } = open.customer;
  const { data: found } = await administer(`GET /users?search=${encodeURIComponent(email)}`);
  await administer(`POST /users/${found[0].id}/credit`, { amount: 50_000, reason: "To spend" });
  const signedIn = await fetch(`${open.base_url}/api/v1/user/auth/login`, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...fromAnAddress() },
    body: JSON.stringify({ email, password }),
  });
  return ((await signedIn.json()) as Answered).data.token;
}

/** The ids of order events after this one, as listed by the feed. */
async function orderEvents(after = 0): Promise<number[]> {
  const ids: number[] = [];
  for (;;) {
    const { data } = await administer(
      `GET /events?per_page=100&type=order.created,order.paid,order.expired&after_id=${ids.at(-1) ?? after}`,
    );
    if (data.length === 0) return ids;
    ids.push(...data.map(({ id }: { id: number }) => id));
  }
}

it(
  "keeps every answered order, all invariants and the numbers of invoices when it is killed during 200 simultaneous orders",
  LONG,
  async () => {
    open = await shop.start();
    await withoutDelivery(open);
    seeded = (await orderEvents()).at(-1) ?? 0;
    receivers = [await aReceiver(), await aReceiver((id) => id % 3 === 0)];
    for (const receiver of receivers) await subscribe(receiver);
    const { base_url, api_keys } = open;
    const headers = { Authorization: `Bearer ${api_keys.premium}`, "Content-Type": "application/json" };
    const customer = await aPayingCustomer();
    const list = await fetch(`${base_url}/api/v1/user/products?type=physical&in_stock=true&per_page=100`, { headers });
    const { data: products } = (await list.json()) as { data: { id: number; price: number; stock_quantity: number }[] };
    const plenty = products.filter(({ stock_quantity }) => stock_quantity >= 20);
    const answered: string[] = [];
    let interrupted = 0;
    let killed: Promise<void> | undefined;

    /** Places orders one after another until the server is killed or no work is left. */
    async function order(index: number): Promise<void> {
      const product = plenty[index % plenty.length];
      const isPaid = index % 4 === 0;
      const body = JSON.stringify({
        items: [{ product_id: product?.id, quantity: 1, price: product?.price }],
        shipping_address: { name: "A", address: "B", city: "C", zip: "D" },
        payment_method: isPaid ? "wallet" : "paypal",
      });
      const response = await fetch(`${base_url}/api/v1/user/orders`, {
        method: "POST",
        headers: {
          ...headers,
          "Idempotency-Key": crypto.randomUUID(),
          ...(isPaid && { Authorization: `Bearer ${customer}` }),
        },
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

    const database = openDatabase(join(shop.folder, STATE));
    const numbers = database
      .prepare("SELECT number FROM orders ORDER BY id")
      .all()
      .map(({ number }) => number);
    expect(numbers).toEqual(numbers.map((_, at) => `#${1001 + at}`));
    expect(answered.filter((number) => !numbers.includes(number))).toEqual([]);
    expect(database.prepare("SELECT count(*) AS issued FROM invoices").get()?.issued).toBeGreaterThan(5);
    expect(await brokenRules(asD1(database))).toEqual({});
    files = database.prepare(FILES).all();
    unpaid = database.prepare("UPDATE orders SET expires_at = 1 WHERE status = 'pending'").run().changes;
    database.close();
  },
);

it("starts again without a warning, and expires unpaid orders by itself", LONG, async () => {
  const { api_keys } = open;
  const log = join(shop.folder, LOG);
  const killedAt = readFileSync(log, "utf8").length;
  open = await shop.start();
  expect(open.api_keys).toEqual(api_keys);
  const started = readFileSync(log, "utf8").slice(killedAt).split("\n");
  expect(started.filter((line) => /warning|out of date/i.test(line))).toEqual([]);
  const headers = { Authorization: `Bearer ${open.api_keys.premium}` };
  const listed = async (status: string) => {
    const address = `${open.base_url}/api/v1/user/account/orders?per_page=1&status=${status}`;
    return (await fetch(address, { headers })).json();
  };
  const expired = { data: [{ status: "expired" }], pagination: { total_items: unpaid } };
  await vi.waitFor(async () => expect(await listed("expired")).toMatchObject(expired), 60_000);
  expect(await listed("pending")).toMatchObject({ data: [] });
});

it("sends every receiver each event of every order after a restart, in order and with its id", LONG, async () => {
  const all = await orderEvents(seeded);
  expect(all.length).toBeGreaterThan(80);
  for (const [index, { received, refused }] of receivers.entries()) {
    await vi.waitFor(
      async () => {
        await retryDelayed(webhooks[index] ?? 0);
        expect(new Set(received.map(({ id }) => id))).toEqual(new Set(all));
      },
      { timeout: LONG.timeout / 2, interval: 1_000 },
    );
    expect(refused).toEqual([]);
    const bodies = Map.groupBy(received, ({ id }) => id);
    expect([...bodies.values()].filter((same) => new Set(same.map(({ body }) => body)).size > 1)).toEqual([]);
    for (const [, events] of Map.groupBy(received, ({ subject }) => subject)) {
      const firsts = [...new Set(events.map(({ id }) => id))];
      expect(firsts).toEqual(firsts.toSorted((a, b) => a - b));
    }
  }
});

let backup: { id: string; rows: number };

it("backs itself up on request", LONG, async () => {
  const { data: job } = await administer("POST /backups", {});
  await vi.waitFor(async () => expect((await administer(`GET /jobs/${job.id}`)).data.state).toBe("completed"), {
    timeout: 60_000,
    interval: 500,
  });
  [backup] = (await administer("GET /backups")).data.backups;
  expect(backup.rows).toBeGreaterThan(1_000);
});

/** The keys of objects that no file holds yet, read beside the running shop. */
function uploading(): unknown[] {
  const database = openDatabase(join(shop.folder, STATE));
  const keys = database.prepare("SELECT r2_key FROM orphaned_objects").all();
  database.close();
  return keys.map(({ r2_key }) => r2_key);
}

/** Uploads a file, and interrupts it once the shop stores its object. */
async function interrupt(act: () => Promise<void>): Promise<void> {
  const before = uploading();
  const isStored = () => expect(uploading().filter((key) => !before.includes(key))).toHaveLength(1);
  const interrupted = async () => {
    await vi.waitFor(isStored, LONG.timeout / 2);
    await act();
  };
  await upload(open, 40 * MB, { after: 20 * MB, act: interrupted });
}

it("loses no object and leaves none when an upload's sender disconnects or the server is killed", LONG, async () => {
  const leave = () => Promise.reject(new Error("the sender has gone"));
  await expect(interrupt(leave)).rejects.toThrow("has gone");
  await expect(interrupt(shop.kill)).rejects.toThrow();

  const { env, dispose } = await getPlatformProxy<Env>({
    configPath: join(shop.folder, "wrangler.toml"),
    persist: { path: join(shop.folder, STATE, "v3") },
  });
  onTestFinished(dispose);
  const { DB } = env;
  expect(await brokenRules(DB)).toEqual({});
  expect(await strayObjects(env)).toEqual({ lost: [], missing: [] });
  expect(await DB.prepare("SELECT count(*) AS n FROM orphaned_objects").first("n")).toBeGreaterThan(0);
  await deleteOrphanedObjects({ env, db: connect(DB) }, Date.now() + DAY_MS);
  expect(await DB.prepare("SELECT count(*) AS n FROM orphaned_objects").first("n")).toBe(0);
  expect(await strayObjects(env)).toEqual({ lost: [], missing: [] });
  expect((await DB.prepare(FILES).all()).results).toEqual(files);
});

/** Runs `npm run restore` with the backup. */
function restore(into: string, ...more: string[]) {
  const args = ["scripts/restore.ts", backup.id, "--local", "--into", into, "--keep-ids", ...more];
  // Detached, so that the whole process group is killed, including the runtime that the script starts.
  const options = { cwd: shop.folder, env: scriptEnvironment, detached: true };
  return spawn(join(shop.folder, "node_modules/.bin/node"), args, options);
}

/** Waits for a restore to end. Returns its exit code and output. */
async function outcomeOf(run: ReturnType<typeof restore>) {
  let said = "";
  for (const stream of [run.stdout, run.stderr]) stream.on("data", (chunk) => (said += chunk));
  const code = await new Promise((done) => run.once("exit", done));
  return { code, said };
}

it("is restored whole from the backup, or not at all: after kill -9, and from damaged parts", LONG, async () => {
  const killed = restore("restored");
  await new Promise((begun) => killed.stdout.once("data", begun));
  process.kill(-(killed.pid ?? 0), "SIGKILL");
  await outcomeOf(killed);
  expect(existsSync(databasePath(join(shop.folder, "restored")))).toBe(false);

  const { code, said } = await outcomeOf(restore("restored"));
  expect([code, said]).toEqual([
    0,
    expect.stringMatching(/(\d+) of \1 checks hold[\s\S]* 0 objects are missing in R2/),
  ]);
  const [restored, original] = ["restored", STATE].map((of) => new DatabaseSync(databasePath(join(shop.folder, of))));
  const rows = (database: DatabaseSync | undefined, query: string) =>
    (database?.prepare(query).all() ?? []).filter(({ items }) => items !== 0);
  const triggers = "SELECT name FROM sqlite_master WHERE type = 'trigger' ORDER BY rowid";
  const tables = ["category_products", "product_counts", "customer_tags", "order_tags"];
  for (const query of [triggers, ...tables.map((table) => `SELECT * FROM ${table}`)]) {
    expect(rows(restored, query)).toEqual(rows(original, query));
  }
  expect(rows(restored, triggers).length).toBeGreaterThan(100);
  for (const database of [restored, original]) database?.close();

  const copy = join(shop.folder, ".restore", backup.id);
  const parts = join(copy, "backups", backup.id);
  const [orders = ""] = readdirSync(parts).filter((name) => name.startsWith("orders-"));
  const bytes = readFileSync(join(parts, orders));
  bytes.writeUInt8(bytes.readUInt8(100) ^ 1, 100);
  renameSync(copy, join(shop.folder, "copy"));
  writeFileSync(join(shop.folder, "copy/backups", backup.id, orders), bytes);
  const damaged = await outcomeOf(restore("damaged", "--copy", "copy"));
  expect([damaged.code, damaged.said]).toEqual([1, expect.stringContaining(`The table orders is damaged in its part`)]);
  expect(existsSync(join(shop.folder, "damaged"))).toBe(false);
});
