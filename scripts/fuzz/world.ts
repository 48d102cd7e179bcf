import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { asUser, downloadOf, type Goods, orderOf, post, send } from "../bench/requests.ts";
import { openShop } from "../bench/shop.ts";
import { Pick } from "./values.ts";

/** Queries for existing rows, by the name that requests use. */
const tables = {
  product: "SELECT id FROM products ORDER BY id",
  category: "SELECT id FROM categories ORDER BY id",
  slug: "SELECT slug AS id FROM categories ORDER BY slug",
  file: "SELECT id FROM files ORDER BY id",
  user: "SELECT id FROM users WHERE email LIKE 'victim%' ORDER BY id",
  email: "SELECT email AS id FROM users WHERE email LIKE 'victim%' ORDER BY id",
  order: "SELECT id FROM orders ORDER BY id",
  package: "SELECT id FROM packages ORDER BY id",
  upload: "SELECT id FROM uploads ORDER BY id",
  webhook: "SELECT id FROM webhook_endpoints ORDER BY id",
  "api-key": "SELECT id FROM api_keys WHERE name = 'Victim' ORDER BY id",
} as const;

/** A shop with a row of everything, on its own storage. `built` is the folder of an already built Worker. */
export async function openWorld(options: { built?: string }) {
  const storage = mkdtempSync(join(tmpdir(), "fuzz-"));
  const { server, callers } = await openShop(["shop"], storage, { products: 200 }, options);
  const url = server.urlOf("shop");
  const { DB } = server.env;
  const victims = await callers.newUsers(20);
  await DB.prepare("UPDATE users SET email = 'victim-' || id || '@shop.test'").run();
  await callers.newKeys(20, "standard");
  await DB.prepare("UPDATE api_keys SET name = 'Victim'").run();
  const goods = (await DB.prepare("SELECT id, price FROM products WHERE status = 'active' LIMIT 20").all<Goods>())
    .results;
  for (const victim of victims) for (const good of goods.slice(0, 2)) await send(url, orderOf(victim, good));

  const known = new Map<string, unknown[]>();
  // Prepared once and read together: each call to a binding from outside the runtime is a request.
  const kinds = Object.keys(tables);
  const queries = Object.values(tables).map((query) => DB.prepare(`${query} LIMIT 20`));
  const lines = DB.prepare("SELECT id, price FROM products WHERE status = 'active' LIMIT 20");
  const refresh = async () => {
    const [sold, ...rest] = await DB.batch<{ id: unknown; price: number }>([lines, ...queries]);
    for (const [nth, kind] of kinds.entries()) known.set(kind, rest[nth]?.results.map(({ id }) => id) ?? []);
    known.set(
      "line",
      (sold?.results ?? []).map(({ id, price }, nth) => ({
        product_id: id,
        quantity: 1 + (nth % 3),
        price: price / 100,
      })),
    );
  };
  known.set("password", [callers.password]);
  known.set("number", [1, 2]);
  known.set("provider", ["stripe", "paypal"]);
  await refresh();

  /** Replaces picks by values. `own` contains those that belong to the caller. */
  function settle(value: unknown, own: Record<string, unknown[]>): unknown {
    if (value instanceof Pick) {
      const all = own[value.kind] ?? known.get(value.kind) ?? [];
      return all[value.nth % all.length] ?? 1 + value.nth;
    }
    if (Array.isArray(value)) return value.map((item) => settle(item, own));
    if (typeof value !== "object" || value === null || value instanceof Uint8Array) return value;
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, settle(item, own)]));
  }

  const newAdministrator = async () => ({ credential: (await callers.nextUser("admin")).token, own: {} });
  const newKey = async (permissions: string[]) => ({ credential: await callers.nextKey(permissions), own: {} });

  /** A new customer with an order, a cart and a download. */
  async function newCustomer() {
    const user = await callers.nextUser("customer");
    const [good = { id: 1, price: 0 }] = goods;
    const order = await send(url, orderOf(user, good));
    const cart = await send(url, post("/api/v1/user/cart", { product_id: good.id }, asUser(user)));
    const { path } = await downloadOf(callers.settings.linkSecrets, user, callers.fileId);
    const { data: placed } = JSON.parse(await order.text());
    const { data: filled } = JSON.parse(await cart.text());
    const own: Record<string, unknown[]> = {
      token: [new URLSearchParams(path.split("?")[1]).get("token")],
      ...(placed && { order: [placed.id] }),
      ...(filled && { item: filled.items.map(({ id }: { id: number }) => id) }),
    };
    return { credential: user.token, own };
  }

  return {
    shop: url,
    refresh,
    settle,
    newCustomer,
    newAdministrator,
    newKey,
    stop: async () => {
      await server.stop();
      rmSync(storage, { recursive: true });
    },
  };
}
export type World = Awaited<ReturnType<typeof openWorld>>;
