import { policies } from "../../src/platform/rate-limit/policies.ts";
import { brokenRules } from "../../test/support/rules.ts";
import type { Client } from "./client.ts";
import { type Greedy, mostInWindow } from "./limits.ts";
import type { KnownState, Model } from "./model.ts";
import type { MailService, WebhookReceiver } from "./receivers.ts";
import type { Shop } from "./shop.ts";
import { IMPORTED } from "./staff.ts";

const WALLET = 1_000_000_000;

/** A verified statement: the number of checks, and the failures. */
export type Check = { says: string; checked: number; wrong: string[] };

type World = {
  shop: Shop;
  client: Client;
  model: Model;
  receiver: WebhookReceiver;
  mail: MailService;
  greedy: Greedy[];
};

const counted = (names: readonly string[]): Map<string, number> =>
  new Map([...Map.groupBy(names, (name) => name)].map(([name, all]) => [name, all.length]));

/** Checks that each order has as many of each name as expected. Those in `maybe` may occur once more. */
function perOrder(
  says: string,
  orders: readonly KnownState[],
  { owed, found }: { owed: "events" | "emails"; found: { order_id: number; name: string }[] },
): Check {
  const byOrder = Map.groupBy(found, ({ order_id }) => order_id);
  return check(says, orders, (known) => {
    const [due, there] = [known[owed], (byOrder.get(known.order.id) ?? []).map(({ name }) => name)].map(counted);
    const wrong = [...new Set([...(due?.keys() ?? []), ...(there?.keys() ?? [])])].flatMap((name) => {
      const more = (there?.get(name) ?? 0) - (due?.get(name) ?? 0);
      return more === 0 || (more === 1 && known.maybe.includes(name)) ? [] : [`${name} ${more > 0 ? "+" : ""}${more}`];
    });
    return wrong.length > 0 && `${known.order.number}: ${wrong.join(", ")}`;
  });
}

/** Tables that are empty once all work is done. */
const QUEUES = ["failed_items", "payments_to_close", "preconditions"];

/** Compares the shop's data with everything that was acknowledged. */
export async function checkEverything(world: World): Promise<Check[]> {
  const { shop, client, model, receiver, mail, greedy } = world;
  const { query } = shop;
  const { imports } = model.counts;
  const known = [...model.orders.values()];
  await expire(world);

  const orders = await query<{ id: number; sequence: number }>("SELECT id, sequence FROM orders ORDER BY id");
  const stored = new Set(orders.map(({ id }) => id));
  const units = new Map<number, number>(model.stock);
  for (const { held } of known)
    for (const [product, taken] of held) units.set(product, (units.get(product) ?? 0) - taken);
  const stock = await query<{ id: number; stock: number }>(
    "SELECT id, stock_quantity AS stock FROM products WHERE sku LIKE 'SOAK-%'",
  );
  const charged = new Map<number, number>();
  for (const { user, charged: amount } of known) if (user) charged.set(user.id, (charged.get(user.id) ?? 0) + amount);
  const wallets = await query<{ id: number; balance: number; last: number }>(
    `SELECT user_id AS id, sum(amount) AS balance, (
       SELECT balance_after FROM transactions AS later WHERE later.user_id = moved.user_id AND method = 'wallet' ORDER BY id DESC LIMIT 1
     ) AS last FROM transactions AS moved WHERE method = 'wallet' GROUP BY user_id`,
  );
  const events = await query<{ id: number; name: string; subject: string; order_id: number }>(
    `SELECT id, type AS name, subject, data ->> 'order_id' AS order_id FROM events
     WHERE type LIKE 'order.%' OR type LIKE 'shipment.%' OR type LIKE 'refund.%' OR type LIKE 'package.%' ORDER BY id`,
  );
  type Email = { key: string; state: string; name: string; order_id: number; recipient: string };
  const emails = await query<Email>("SELECT key, state, template AS name, order_id, recipient FROM emails");
  const packages = await query<{ order_id: number; used: number }>(
    "SELECT order_id, downloads_used AS used FROM packages WHERE order_id IS NOT NULL",
  );
  const used = new Map(packages.map(({ order_id, used }) => [order_id, used]));
  const imported = await query<{ name: string; price: number }>(
    "SELECT name, price FROM products WHERE sku LIKE 'IMPORT-%'",
  );
  const broken = Object.entries(await brokenRules(shop.env.DB))
    // Tests cover this for only a few routes.
    .filter(([rule]) => !rule.startsWith("a remembered answer"))
    .map(([rule, rows]) => `${rule}: ${JSON.stringify(rows).slice(0, 300)}`);

  const keys = new Set(emails.map(({ key }) => key));
  const lost = [...client.tallies].filter(([, { lost }]) => lost > 0);

  return [
    check(
      "every acknowledged order is there",
      known,
      ({ order }) => !stored.has(order.id) && `${order.number} is lost`,
    ),
    check("no order is there that nobody acknowledged", orders, ({ id }) => !model.orders.has(id) && `order ${id}`),
    check(
      "order numbers have no gap",
      orders,
      ({ sequence }, at) => at > 0 && sequence !== (orders[at - 1]?.sequence ?? 0) + 1 && `${sequence}`,
    ),
    check(
      "stock is what came in, less what was sold, plus what came back",
      stock,
      ({ id, stock }) => stock !== units.get(id) && `product ${id} has ${stock} instead of ${units.get(id)}`,
    ),
    check(
      "wallets are what was paid in, less what orders keep, and the sum of their ledger",
      wallets,
      ({ id, balance, last }) =>
        (balance !== last || balance !== WALLET - (charged.get(id) ?? 0)) &&
        `user ${id} has ${balance}, ledger ${last}`,
    ),
    perOrder("every order has exactly its events", known, { owed: "events", found: events }),
    check("every event was delivered", events, ({ id, name }) => !receiver.delivered.has(id) && `event ${id}, ${name}`),
    check("deliveries of one subject are in order", [...receiver.delivered], () => false, outOfOrder(events, receiver)),
    check("every signature is valid", [...receiver.delivered], () => false, receiver.wrong),
    perOrder("every order has exactly its e-mails", known, { owed: "emails", found: emails }),
    check(
      "every e-mail was accepted by the mail service, once for each key",
      emails,
      ({ key, state, name }) => (state !== "sent" || !mail.delivered.has(key)) && `${name} ${key} is ${state}`,
      [...mail.delivered.keys()]
        .filter((key) => !keys.has(key))
        .map((key) => `an e-mail that is not in the outbox: ${key}`),
    ),
    check("every sign-up was asked to verify its address and told of its sign-in", model.accounts, (email) => {
      const sent = emails.filter(({ recipient }) => recipient === email).map(({ name }) => name);
      return sent.sort().join() !== "email_verification,new_sign_in" && `${email} got ${sent}`;
    }),
    check(
      "every download was counted exactly",
      known.filter(({ events: due }) => due.includes("package.granted")),
      ({ order, downloads }) =>
        used.get(order.id) !== downloads && `${order.number} counted ${used.get(order.id)} of ${downloads}`,
    ),
    check(
      `${imports} imports were applied whole`,
      imported,
      ({ name, price }) => (!name.endsWith(` v${imports}`) || price !== imports * 100) && `${name} costs ${price}`,
      imported.length === IMPORTED ? [] : [`${imported.length} products`],
    ),
    ...greedy.map(limitCheck),
    check("all rules of money and stock hold", orders, () => false, broken),
    check("queues are empty", await sizesOf(shop, QUEUES), ([table, rows]) => rows > 0 && `${table} has ${rows} rows`),
    check("requests got what they asked for", [...client.tallies], () => false, client.faults),
    check("no request was lost", lost, ([kind, { lost }]) => `${kind}: ${lost}`),
  ];
}

function check<T>(
  says: string,
  items: readonly T[],
  find: (item: T, at: number) => string | false,
  more: string[] = [],
): Check {
  return { says, checked: items.length, wrong: [...items.flatMap((item, at) => find(item, at) || []), ...more] };
}

const limitCheck = (caller: Greedy): Check => {
  const { limit, seconds } = policies[caller.policy];
  const most = mostInWindow(caller);
  const says = `at most ${limit} requests in ${seconds} s by ${caller.policy}: ${most} at most, ${caller.admitted.length} admitted, ${caller.refused} refused`;
  return { says, checked: caller.admitted.length, wrong: most > limit ? [`${most} were admitted`] : [] };
};

/** Deliveries that arrived before an older event of their subject. */
function outOfOrder(events: { id: number; subject: string }[], { delivered }: WebhookReceiver): string[] {
  const subjects = new Map(events.map(({ id, subject }) => [id, subject]));
  const newest = new Map<string, number>();
  return [...delivered].flatMap((id) => {
    const subject = subjects.get(id) ?? "";
    const before = newest.get(subject) ?? 0;
    newest.set(subject, Math.max(id, before));
    return id < before ? [`event ${id} of ${subject} came after ${before}`] : [];
  });
}

/** Checks that unpaid orders expired at their time, and that others are still waiting. */
async function expire({ shop, model, client }: World): Promise<void> {
  const rows = await shop.query<{ id: number }>("SELECT id FROM orders WHERE status = 'expired'");
  const expired = new Set(rows.map(({ id }) => id));
  for (const [id, known] of model.orders) {
    const { expiresAt } = known;
    const overdue = expiresAt !== null && Date.now() - expiresAt;
    if (expired.has(id) && overdue !== false && overdue > -60_000) {
      known.held.clear();
      model.happened(known, "order.expired");
    } else if (expired.has(id)) client.fault(`order ${id} has expired, although it was paid or has time left`);
    else if (overdue !== false && overdue > 120_000) client.fault(`order ${id} has not expired`);
  }
}

export const sizesOf = (shop: Shop, tables: string[]): Promise<[string, number][]> =>
  Promise.all(
    tables.map(async (table): Promise<[string, number]> => {
      const [row] = await shop.query<{ rows: number }>(`SELECT count(*) AS rows FROM ${table}`);
      return [table, row?.rows ?? 0];
    }),
  );
