import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import type { Schema } from "../../src/client/index.ts";
import type { User } from "../bench/callers.ts";
import { API, asUser, bearer, type Goods } from "../bench/requests.ts";
import { words } from "../bench/words.ts";
import type { Answer, Client } from "./client.ts";
import { type KnownState, type Model, minor, type Order } from "./model.ts";
import { pick, random } from "./random.ts";
import type { Shop } from "./shop.ts";
import { DOWNLOADS, type Staff } from "./staff.ts";

const chance = (share: number): boolean => Math.random() < share;

const PASSWORD = "a long walk by the sea";
const EXPIRES_MS = 30 * 60_000;

type World = { shop: Shop; client: Client; model: Model; staff: Staff; pauseMs: number };

/** Buyers and readers: each call of a kind is a visit by new callers. */
export function openShoppers({ shop, client: { ask, fault }, model, staff, pauseMs }: World) {
  let guests = 0;
  let unique = 0;
  const pause = () => setTimeout(Math.random() * pauseMs);
  const addressOf = () => ({
    "CF-Connecting-IP": `2001:db8:${(++unique >> 16).toString(16)}:${(unique & 0xffff).toString(16)}::1`,
  });

  type Buyer = { user: User | null; headers: Record<string, string>; customer?: { email: string; name: string } };
  async function account(): Promise<Buyer> {
    const user = await shop.newUser();
    return { user, headers: asUser(user) };
  }
  async function guest(): Promise<Buyer> {
    const customer = { email: `guest-${++guests}@soak.example`, name: "Gail Guest" };
    return { user: null, headers: { ...bearer(await shop.newKey()), ...addressOf() }, customer };
  }

  /** Places an order, sometimes by two requests at once with one key. Null if the product is sold out. */
  async function place(buyer: Buyer, goods: Goods[], method: Order["payment_method"]): Promise<KnownState | null> {
    const items = goods.map(({ id, price }) => ({ product_id: id, quantity: 1 + random(2), price: price / 100 }));
    const shipping_address = { name: "Ada", address: `${++unique} Soak Street`, city: "London", zip: "SW1Y 4JH" };
    const asking = {
      kind: `order by ${method}`,
      method: "POST" as const,
      path: `${API}/orders`,
      headers: { ...buyer.headers, "Idempotency-Key": randomUUID() },
      body: { items, shipping_address, payment_method: method, ...(buyer.customer && { customer: buyer.customer }) },
      refusals: ["insufficient_stock"],
    };
    const sent = [ask<Order>(asking)];
    if (chance(0.05)) sent.push(ask<Order>(asking));
    const placed = (await Promise.all(sent)).filter(({ refused }) => refused === null);
    const [first, twin] = placed;
    if (twin) model.counts.twins++;
    if (!first) {
      model.counts.soldOut++;
      return null;
    }
    if (twin && twin.data.number !== first.data.number)
      fault(`one key made ${first.data.number} and ${twin.data.number}`);
    return model.placed(first.data, buyer.user);
  }

  const some = (goods: Goods[]): Goods[] => {
    const [first, second] = [pick(goods), pick(goods)];
    return first === second || chance(0.5) ? [first] : [first, second];
  };

  async function byWallet(): Promise<void> {
    const buyer = await account();
    const known = await place(buyer, some(staff.goods), "wallet");
    if (!known) return;
    known.charged = minor(known.order.total);
    model.happened(known, "order.paid");
    await pause();
    const then = random(10);
    if (then < 4) await staff.ship(known);
    else if (then < 6) await staff.shipInParcels(known);
    else if (then < 7) await staff.refund(known);
    else if (then < 8) await cancel(buyer, known);
  }

  async function cancel(buyer: Buyer, known: KnownState): Promise<void> {
    const path = `${API}/account/orders/${known.order.id}/cancel`;
    await ask({ kind: "cancellation", method: "POST", path, headers: buyer.headers, body: {} });
    known.held.clear();
    known.charged = 0;
    model.happened(known, "order.cancelled", "refund.created", "refund.succeeded");
  }

  async function byBankTransfer(): Promise<void> {
    const known = await place(await (chance(0.7) ? guest() : account()), some(staff.goods), "bank_transfer");
    if (!known) return;
    await pause();
    if (chance(0.25)) await staff.edit(known);
    const then = random(10);
    if (then < 1) return;
    if (then < 2) return staff.cancel(known);
    await staff.markPaid(known);
    await pause();
    if (then < 7) await staff.ship(known);
  }

  async function byTestCard(): Promise<void> {
    const known = await place(await (chance(0.5) ? guest() : account()), some(staff.goods), "test_card");
    if (!known) return;
    known.expiresAt = Date.now() + EXPIRES_MS;
    await pause();
    const then = random(10);
    if (then < 1) return;
    if (then < 3) {
      const { tries } = await payOnPage(known, "fail");
      model.happened(known, "order.payment_failed");
      if (tries > 1) known.maybe.push("order.payment_failed", "payment_failed");
      await pause();
    }
    await payOnPage(known, then < 5 ? "confirm_later" : "succeed");
    known.expiresAt = null;
    model.happened(known, "order.paid");
    known.emails.push("payment_received");
    if (then < 5) return;
    await pause();
    if (then < 7) await staff.refund(known);
    else await staff.ship(known);
  }

  function payOnPage(known: KnownState, outcome: string): Promise<Answer<unknown>> {
    const { pathname } = new URL(known.order.payment.next_action?.url ?? "");
    const headers = { ...addressOf(), Origin: shop.url };
    return ask({
      kind: "payment page",
      method: "POST",
      path: pathname,
      headers,
      body: new URLSearchParams({ outcome }),
    });
  }

  /** Buys files, downloads each in two parts until the limit, and once more. */
  async function download(): Promise<void> {
    const buyer = await account();
    const known = await place(buyer, [staff.digital], "wallet");
    if (!known) return;
    known.charged = minor(known.order.total);
    model.happened(known, "order.paid", "order.completed", "package.granted");
    const allowed = DOWNLOADS * (known.order.items[0]?.quantity ?? 0);
    const wanted = chance(0.3) ? allowed + 1 : 1 + random(2);
    for (let nth = 1; nth <= wanted; nth++) {
      const path = `${API}/download-file?file_id=${staff.fileId}`;
      const refusals = nth > allowed ? ["download_denied"] : [];
      const link = await ask<Schema["Download"]>({ kind: "download link", path, headers: buyer.headers, refusals });
      if (link.refused) {
        model.counts.limitReached++;
        break;
      }
      if (nth > allowed) fault(`order ${known.order.number}: download ${nth} of ${allowed} got a link`);
      const { pathname, search } = new URL((link.data as { url: string }).url);
      for (const Range of ["bytes=0-9999", "bytes=10000-"])
        await ask({ kind: "download", path: pathname + search, headers: { ...buyer.headers, Range } });
      known.downloads++;
      if (nth === allowed) model.happened(known, "package.exhausted");
    }
  }

  async function fillCart(): Promise<void> {
    const { headers } = await account();
    const [first, second] = [pick(staff.goods), pick(staff.goods)];
    for (const { id } of first === second ? [first] : [first, second])
      await ask({
        kind: "cart",
        method: "POST",
        path: `${API}/cart`,
        headers,
        body: { product_id: id, quantity: 1 },
        refusals: ["insufficient_stock"],
      });
    const { data } = await ask<Schema["Cart"]>({ kind: "cart read", path: `${API}/cart`, headers });
    if (data.items.some(({ quantity }) => quantity !== 1)) fault(`a cart holds ${JSON.stringify(data.items)}`);
    if (data.items.length > 0)
      await ask({ kind: "quote", method: "POST", path: `${API}/checkout/quote`, headers, body: { cart: true } });
  }

  async function browse(): Promise<void> {
    const headers = bearer(await shop.newKey());
    const { adjectives, nouns } = words;
    const queries = [
      `page=${1 + random(40)}`,
      `sort=price&page=${1 + random(10)}`,
      `category=${pick(["paper", "audio", "film", "photo"])}&in_stock=true`,
      `search=${pick(adjectives)}+${pick(nouns).slice(0, 4)}`.toLowerCase(),
      `min_price=${random(200)}&max_price=${200 + random(300)}`,
    ];
    for (let nth = 0; nth < 3; nth++) {
      const query = pick(queries);
      const kind = query.startsWith("search") ? "search" : "catalogue list";
      const { data } = await ask<Schema["Product"][]>({ kind, path: `${API}/products?${query}`, headers });
      const product = data[0];
      if (product) await ask({ kind: "product", path: `${API}/products/${product.id}`, headers });
    }
  }

  async function signUp(): Promise<void> {
    const email = `soak-${randomUUID()}@soak.example`;
    const headers = { ...bearer(await shop.newKey()), ...addressOf() };
    const body = { email, password: PASSWORD, name: "Sam Soak" };
    await ask({ kind: "sign-up", method: "POST", path: `${API}/auth/signup`, headers, body });
    await ask({
      kind: "login",
      method: "POST",
      path: `${API}/auth/login`,
      headers: addressOf(),
      body: { email, password: PASSWORD },
    });
    model.accounts.push(email);
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
  return { visit: () => pick(lots)() };
}
