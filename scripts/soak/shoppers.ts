import { setTimeout } from "node:timers/promises";
import type { Schema } from "../../src/client/index.ts";
import type { User } from "../bench/callers.ts";
import type { Goods } from "../bench/requests.ts";
import { words } from "../bench/words.ts";
import { type Client, unless } from "./client.ts";
import type { Shop } from "./shop.ts";
import { DOWNLOADS, isLeftToBuyer, type Stock } from "./staff.ts";

type Order = Schema["Order"];
type World = { shop: Shop; client: Client; stock: Stock; pauseMs: number };

const random = (below: number): number => Math.floor(Math.random() * below);
const pick = <T>(items: readonly T[]): T => items[random(items.length)] as T;
const chance = (share: number): boolean => Math.random() < share;

/** Buyers and readers: each call of a kind is a visit by new callers. `placed` has the orders that were acknowledged. */
export function openShoppers({ shop, client, stock, pauseMs }: World) {
  const placed = new Set<number>();
  const counts = { twins: 0, soldOut: 0, exhausted: 0 };
  let guests = 0;
  let addresses = 0;
  const pause = () => setTimeout(Math.random() * pauseMs);

  /** Places an order, sometimes by two requests at once with one key. Null if the product is sold out. */
  async function place(user: User | null, method: Order["payment_method"], goods: Goods[]): Promise<Order | null> {
    const buyer = client.as(user?.token ?? (await shop.newKey("read", "write")));
    const header = { "Idempotency-Key": crypto.randomUUID() };
    const body = {
      items: goods.map(({ id, price }) => ({ product_id: id, quantity: 1 + random(2), price: price / 100 })),
      shipping_address: { name: "Ada", address: `${++addresses} Soak Street`, city: "London", zip: "SW1Y 4JH" },
      payment_method: method,
      ...(user === null && { customer: { email: `guest-${++guests}@soak.example`, name: "Gail Guest" } }),
    };
    const order = () =>
      buyer.POST("/api/v1/user/orders", { params: { header }, body }).catch(unless("insufficient_stock"));
    const [first, twin] = await Promise.all(chance(0.05) ? [order(), order()] : [order()]);
    if (!first) {
      counts.soldOut++;
      return null;
    }
    if (twin) counts.twins++;
    if (twin && twin.data.id !== first.data.id)
      client.fault(`one key made orders ${first.data.id} and ${twin.data.id}`);
    placed.add(first.data.id);
    return first.data;
  }

  const some = (): Goods[] => [...new Set([pick(stock.goods), ...(chance(0.5) ? [pick(stock.goods)] : [])])];
  const someone = async (): Promise<User | null> => (chance(0.5) ? await shop.newUser() : null);

  async function byWallet(): Promise<void> {
    const user = await shop.newUser();
    const order = await place(user, "wallet", some());
    if (!order || !isLeftToBuyer(order)) return;
    await pause();
    await client
      .as(user.token)
      .POST("/api/v1/user/account/orders/{orderId}/cancel", { params: { path: { orderId: order.id } }, body: {} });
  }

  async function byBankTransfer(): Promise<void> {
    await place(await someone(), "bank_transfer", some());
  }

  /** Pays, sometimes at the second attempt or later. One in ten leaves the order to expire. */
  async function byTestCard(): Promise<void> {
    const order = await place(await someone(), "test_card", some());
    if (!order || chance(0.1)) return;
    await pause();
    if (chance(0.2)) await payOnPage(order, "fail");
    await payOnPage(order, chance(0.3) ? "confirm_later" : "succeed");
  }

  async function payOnPage({ payment, number }: Order, outcome: string): Promise<void> {
    const { pathname } = new URL(payment.next_action?.url ?? "");
    const request = new Request(shop.url + pathname, {
      method: "POST",
      redirect: "manual",
      headers: { Origin: shop.url },
      body: new URLSearchParams({ outcome }),
    });
    const { status } = await client.send(request);
    if (status !== 303) client.fault(`the payment page of ${number} answered ${status}`);
  }

  /** Buys files and downloads each, sometimes until the limit and once more. The client compares their checksums. */
  async function download(): Promise<void> {
    const user = await shop.newUser();
    const order = await place(user, "wallet", [stock.digital]);
    if (!order) return;
    const allowed = DOWNLOADS * (order.items[0]?.quantity ?? 0);
    const wanted = chance(0.3) ? allowed + 1 : 1 + random(2);
    for (let nth = 1; nth <= wanted; nth++) {
      const file = await client.as(user.token).download(stock.fileId).catch(unless("download_denied"));
      if (file) await new Response(file.body).arrayBuffer();
      if ((file === null) !== nth > allowed) client.fault(`order ${order.number}: download ${nth} of ${allowed}`);
      if (file === null) counts.exhausted++;
    }
  }

  async function fillCart(): Promise<void> {
    const buyer = client.as((await shop.newUser()).token);
    for (const { id } of some())
      await buyer
        .POST("/api/v1/user/cart", { body: { product_id: id, quantity: 1 } })
        .catch(unless("insufficient_stock"));
    const { data } = await buyer.GET("/api/v1/user/cart");
    if (data.items.some(({ quantity }) => quantity !== 1)) client.fault(`a cart has ${JSON.stringify(data.items)}`);
    if (data.items.length > 0) await buyer.POST("/api/v1/user/checkout/quote", { body: { cart: true } });
  }

  async function browse(): Promise<void> {
    const reader = client.as(await shop.newKey("read"));
    const { adjectives, nouns } = words;
    const queries = [
      { page: 1 + random(40) },
      { sort: "price" as const, page: 1 + random(10) },
      { category: pick(["paper", "audio", "film", "photo"]), in_stock: "true" as const },
      { search: `${pick(adjectives)} ${pick(nouns).slice(0, 4)}` },
      { min_price: random(200), max_price: 200 + random(300) },
    ];
    for (let nth = 0; nth < 3; nth++) {
      const { data } = await reader.GET("/api/v1/user/products", { params: { query: pick(queries) } });
      const [product] = data;
      if (product) await reader.GET("/api/v1/user/products/{id}", { params: { path: { id: product.id } } });
    }
  }

  async function signUp(): Promise<void> {
    const shopper = client.as(await shop.newKey("read", "write"));
    const account = { email: `soak-${crypto.randomUUID()}@soak.example`, password: "a long walk by the sea" };
    await shopper.POST("/api/v1/user/auth/signup", { body: { ...account, name: "Sam Soak" } });
    await shopper.POST("/api/v1/user/auth/login", { body: account });
  }

  /** Visits, each as often as its weight. */
  const visits: [times: number, visit: () => Promise<void>][] = [
    [20, byWallet],
    [12, byBankTransfer],
    [10, byTestCard],
    [8, download],
    [15, fillCart],
    [34, browse],
    [1, signUp],
  ];
  const lots = visits.flatMap(([times, visit]) => Array.from({ length: times }, () => visit));
  return { visit: () => pick(lots)(), placed, counts };
}
