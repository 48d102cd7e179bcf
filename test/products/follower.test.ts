import { env } from "cloudflare:workers";
import fc from "fast-check";
import { expect, it } from "vitest";
import { eraseDueAccounts } from "../../src/accounts/personal-data/erase-due.ts";
import { expireOrders } from "../../src/checkout/orders/change.ts";
import { call } from "../support/call.ts";
import { anImport, runJob } from "../support/jobs.ts";
import { LONG } from "../support/long.ts";
import { runsOf } from "../support/runs.ts";
import { aKey, aUser, db, onPurpose } from "../support/shop.ts";

const aProgram = async () => (await aKey({ permissions: ["read", "write", "payments:write"], tier: "premium" })).key;
let admin = await aProgram();
/** Each may send a few requests only. */
const anAdministrator = async () => (await aUser({ role: "admin" })).token;
const buyer = (await aUser({ wallet: 10_000_000 })).token;

type Row = { id: number; updated_at?: string; created_at: string; parent_id?: number | null };
type Event = { id: number; type: string; subject: string; data: { variant_id?: number } };

const lists = {
  products: "/products?variants=true&",
  orders: "/orders?",
  users: "/users?",
  categories: "/categories?",
  discounts: "/discounts?",
  transactions: "/transactions?",
};
type List = keyof typeof lists;

const linkTo = (headers: Headers) => /<([^>]+)>; rel="next"/.exec(headers.get("Link") ?? "")?.[1];

let requests = 0;

async function read<Of>(from: string): Promise<Of[]> {
  const rows: Of[] = [];
  for (let address: string | undefined = from; address; ) {
    const { status, body, headers } = await call(`GET /admin${address.replace(/^.*\/admin/, "")}`, { as: admin });
    expect(status, JSON.stringify(body)).toBe(200);
    requests++;
    rows.push(...body.data);
    address = linkTo(headers);
  }
  return rows;
}

/** Versions of rows may be ahead of the clock by as many milliseconds as they were written in one. */
const AHEAD_MS = 1_000;

/** A copy of the shop that knows nothing but lists by time of change, and events. */
class Follower {
  readonly rows: Record<List, Map<number, Row>> = {
    products: new Map(),
    orders: new Map(),
    users: new Map(),
    categories: new Map(),
    discounts: new Map(),
    transactions: new Map(),
  };
  #event = 0;

  async catchUp(wanted = Object.keys(lists) as List[]): Promise<void> {
    for (const list of wanted) {
      const known = this.rows[list];
      const changed = [...known.values()].map((row) => Date.parse(row.updated_at ?? row.created_at));
      const newest = Math.max(AHEAD_MS, ...changed) - AHEAD_MS;
      const since = new Date(newest).toISOString();
      for (const row of await read<Row>(`${lists[list]}updated_since=${since}&per_page=100`)) known.set(row.id, row);
    }
    const events = await read<Event>(`/events?after_id=${this.#event}&per_page=100`);
    for (const event of events) await this.#follow(event);
    this.#event = events.at(-1)?.id ?? this.#event;
  }

  async #follow({ type, subject, data }: Event): Promise<void> {
    const { products } = this.rows;
    const id = Number(subject.split(":")[1]);
    if (type === "product.deleted")
      for (const row of products.values()) if (row.id === id || row.parent_id === id) products.delete(row.id);
    if (data.variant_id === undefined) return;
    const found = await read<Row>(`/products?ids=${data.variant_id}`);
    if (found.length === 0) products.delete(data.variant_id);
  }
}

/** Figures of customers and discounts that follow from orders and transactions, which leave their versions as they are. */
const followed = { order_count: undefined, spent: undefined, wallet_balance: undefined, uses: undefined };

/** Rows as they are, without what follows from rows of other lists. */
const comparable = (rows: Iterable<object>) =>
  [...rows]
    .map((row) => ({ ...row, ...followed, category: (row as { category?: { id: number } | null }).category?.id }))
    .toSorted((a, b) => Number(Reflect.get(a, "id")) - Number(Reflect.get(b, "id")));

/** Ids of what the writes made. */
type Shop = Record<"products" | "variants" | "parents" | "orders" | "customers" | "discounts" | "jobs", number[]>;

const pick = (ids: number[], at: number): number => ids[at % Math.max(1, ids.length)] ?? 0;
type Line = { id: number; quantity: number };
let made = 0;

const write = async (line: string, body?: object, as = admin) => {
  const answer = await call(line, { as, headers: onPurpose(), ...(body && { body }) });
  expect(answer.status, JSON.stringify([line, body, answer.body])).toBeLessThan(500);
  return answer;
};

const product = (more: object = {}) => ({
  name: `Mug ${++made}`,
  sku: `F-${made}`,
  type: "physical",
  price: 3,
  ...more,
});
const SIZES = ["S", "M", "L"];

/** Every kind of write that changes what the lists show. */
const writes: Record<string, (shop: Shop, at: number) => Promise<unknown>> = {
  "creates a product": async ({ products }) => {
    const body = product({ status: "active", stock_quantity: 20 });
    products.push((await write("POST /admin/products", body)).body.data.id);
  },
  "creates a product with options": async ({ parents }) => {
    const body = product({ status: "active", options: [{ name: "Size", values: SIZES }] });
    parents.push((await write("POST /admin/products", body)).body.data.id);
  },
  "creates a variant": async ({ parents, variants }, at) => {
    const option_values = [{ name: "Size", value: SIZES[at % 3] }];
    const body = { option_values, sku: `V-${++made}`, price: 4 + at, stock_quantity: 9 };
    const { status, body: answer } = await write(`POST /admin/products/${pick(parents, at)}/variants`, body);
    if (status === 201) variants.push(answer.data.id);
  },
  "edits a product": ({ products, parents, variants }, at) =>
    write(`PUT /admin/products/${pick([...products, ...parents, ...variants], at)}`, { name: `Cup ${++made}` }),
  "hides a product": ({ parents, variants }, at) =>
    write(`PUT /admin/products/${pick([...parents, ...variants], at)}`, { status: at % 2 ? "draft" : "active" }),
  "prices a variant": ({ variants }, at) => write(`PUT /admin/products/${pick(variants, at)}`, { price: at + 1 }),
  "stops managing stock": ({ products }, at) =>
    write(`PUT /admin/products/${pick(products, at)}`, { manage_stock: false }),
  "deletes a product": ({ products, parents, variants }, at) =>
    write(`DELETE /admin/products/${pick([...products, ...parents, ...variants], at)}`),
  "adjusts stock": ({ products, variants }, at) =>
    write(`POST /admin/products/${pick([...products, ...variants], at)}/stock`, { delta: at + 1, reason: "Found" }),
  "counts stock": ({ products, variants }, at) =>
    write(`POST /admin/products/${pick([...products, ...variants], at)}/stock`, { quantity: at, reason: "Counted" }),
  "writes a batch": async ({ products, variants, jobs }, at) => {
    const { body } = await write("POST /admin/products/batch", {
      items: [
        { id: pick(products, at), price: at + 2 },
        { id: pick(variants, at), stock: { quantity: at, reason: "Counted" } },
        product({ stock_quantity: at }),
      ],
    });
    jobs.push(body.data.job_id);
  },
  "changes many prices": async ({ products, parents, jobs }, at) => {
    const { status, body } = await write("POST /admin/products/bulk-actions", {
      ids: [pick(products, at), pick(parents, at)],
      change: { price_percent: 10, add_tags: [`T${at}`] },
    });
    if (status === 201) jobs.push(body.data.id);
    if (status === 201) await runJob(body.data.id);
  },
  "undoes a job": async ({ jobs }, at) => {
    const { status, body } = await write(`POST /admin/jobs/${pick(jobs, at)}/undo`, {});
    if (status === 201) await runJob(body.data.id);
  },
  "imports products": async (_, at) => {
    const rows = [`F-${at + 1},Bowl,physical,${at + 1}`, `I-${++made},Jug,physical,5`];
    await anImport(["sku,name,type,price", ...rows].join("\n"), { as: await anAdministrator() });
  },
  "imports customers": async (_, at) => {
    const rows = [`bob-${at + 1}@shop.test,Rob`, `imported-${++made}@shop.test,Ann`];
    await anImport(["email,name", ...rows].join("\n"), { as: await anAdministrator(), resource: "customers" });
  },
  "moves a category": async (_, at) => {
    const { body } = await write("POST /admin/categories", { name: `Shelf ${++made}` });
    return write(`PUT /admin/categories/${body.data.id}`, { name: `Rack ${at} ${made}` });
  },
  "makes a discount": async ({ discounts }, at) => {
    const body = { name: `Sale ${++made}`, kind: "percentage", percent: at + 1 };
    discounts.push((await write("POST /admin/discounts", body)).body.data.id);
  },
  "edits a discount": ({ discounts }, at) =>
    write(`PUT /admin/discounts/${pick(discounts, at)}`, { priority: at, enabled: at % 2 === 0 }),
  "places an order": async ({ products, variants, orders }, at) => {
    const [sold] = await read<Row & { price: number }>(`/products?ids=${pick([...products, ...variants], at)}`);
    if (!sold) return;
    const body = {
      items: [{ product_id: sold.id, quantity: 1 + (at % 3), price: sold.price }],
      payment_method: at % 2 ? "wallet" : "paypal",
      shipping_address: { name: "Ada", address: "1 Quay", city: "Bristol", zip: "BS1 4DJ", country: "GB" },
    };
    const { status, body: answer } = await write("POST /orders", body, buyer);
    if (status === 201) orders.push(answer.data.id);
  },
  "edits an order": async ({ orders }, at) => {
    const path = `/admin/orders/${pick(orders, at)}`;
    const { status, body } = await write(`GET ${path}`);
    if (status !== 200) return;
    const items = body.data.items.map(({ id, quantity }: Line) => ({ id, quantity: quantity + 1 }));
    const quote = await write(`POST ${path}/edits/quote`, { items });
    if (quote.status === 200) await write(`POST ${path}/edits`, { items, expected_total: quote.body.data.total });
  },
  "marks an order paid": ({ orders }, at) => write(`PUT /admin/orders/${pick(orders, at)}`, { payment_status: "paid" }),
  "lets orders expire": async ({ orders }, at) => {
    await env.DB.exec(`UPDATE orders SET expires_at = 1 WHERE id = ${pick(orders, at)} AND status = 'pending'`);
    await expireOrders(db, Date.now());
  },
  "takes an order back": async ({ orders }, at) => {
    await write(`POST /admin/orders/${pick(orders, at)}/shipments`, { carrier: "Post" });
    const { status, body } = await write(`POST /admin/orders/${pick(orders, at)}/returns`, {});
    if (status !== 201) return;
    await write(`PUT /admin/returns/${body.data.id}`, { status: "received" });
    await write(`POST /admin/returns/${body.data.id}/settle`, {});
  },
  "cancels an order": ({ orders }, at) => write(`PUT /admin/orders/${pick(orders, at)}`, { status: "cancelled" }),
  "ships an order": ({ orders }, at) =>
    write(`PUT /admin/orders/${pick(orders, at)}`, { status: "shipped", shipment: { carrier: "Post" } }),
  "refunds an order": ({ orders }, at) => write(`POST /admin/orders/${pick(orders, at)}/refunds`, { restock: true }),
  "names an order": ({ orders }, at) =>
    write(`PUT /admin/orders/${pick(orders, at)}`, { external_id: `SO-${++made}`, metadata: { at: String(at) } }),
  "adds a customer": async ({ customers }) => {
    const body = { name: "Bob", email: `bob-${++made}@shop.test` };
    customers.push((await write("POST /admin/users", body)).body.data.id);
  },
  "edits a customer": ({ customers }, at) =>
    write(`PUT /admin/users/${pick(customers, at)}`, { company: `Works ${++made}`, tags: [`T${at}`] }),
  "credits a customer": ({ customers }, at) =>
    write(`POST /admin/users/${pick(customers, at)}/credit`, { amount: at + 1, reason: "A gift" }),
  "erases a customer": async ({ customers }, at) => {
    const id = pick(customers, at);
    await write(`DELETE /admin/users/${id}`, undefined, await anAdministrator());
    await env.DB.exec(`UPDATE users SET erase_at = 1 WHERE id = ${id} AND erase_at > 0 AND erased_at IS NULL`);
    await eraseDueAccounts(env, db, Date.now());
  },
};

const step = fc.tuple(fc.constantFrom(...Object.keys(writes)), fc.nat(8));

it("holds the same products, stock, orders and customers as the shop after every write", LONG, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 12, maxLength: 12 }), async (steps) => {
      admin = await aProgram();
      const shop: Shop = {
        ...{ products: [], variants: [], parents: [], orders: [] },
        ...{ customers: [], discounts: [], jobs: [] },
      };
      const follower = new Follower();
      const begin = [
        ...["creates a product", "creates a product with options", "creates a variant", "places an order"],
        ...["adds a customer", "makes a discount"],
      ];
      for (const [name, at] of [...begin.map((each): [string, number] => [each, 0]), ...steps]) {
        await writes[name]?.(shop, at);
        await follower.catchUp();
        for (const list of Object.keys(lists) as List[]) {
          const rows = await read<Row>(`${lists[list]}after_id=0&per_page=100`);
          const copy = comparable(follower.rows[list].values());
          expect(copy, `${list}, after it ${name} (${at})`).toEqual(comparable(rows));
        }
      }
    }),
    { numRuns: runsOf(10) },
  );
});

it("reads a delta of thirty changes by at most five requests", async () => {
  admin = await aProgram();
  const follower = new Follower();
  const products = [];
  for (let n = 0; n < 15; n++) products.push((await write("POST /admin/products", product())).body.data.id);
  await follower.catchUp();
  const items = products.map((id, n) => ({ id, price: n + 1 }));
  await write("POST /admin/products/batch", { items });
  for (let n = 0; n < 15; n++) await write("POST /admin/users", { name: "Ada", email: `delta-${n}@shop.test` });
  requests = 0;
  await follower.catchUp(["products", "orders", "users", "categories"]);
  expect(requests).toBeLessThanOrEqual(5);
  const rows = await read<Row>("/products?variants=true&after_id=0&per_page=100");
  expect(comparable(follower.rows.products.values())).toEqual(comparable(rows));
});
