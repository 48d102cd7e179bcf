import type { Receiver } from "../../test/server/receiver.ts";
import { brokenRules } from "../../test/support/rules.ts";
import type { Client } from "./client.ts";
import type { Shop } from "./shop.ts";
import { IMPORTED, type Staff } from "./staff.ts";

/** Problems by the statement that they contradict. */
export type Problems = Record<string, string[]>;

type World = {
  shop: Shop;
  client: Client;
  staff: Staff;
  placed: ReadonlySet<number>;
  receiver: Receiver;
  /** Keys of the e-mails that the mail service delivered. */
  mails: ReadonlySet<string>;
};

/** Events that an order has at most once, and the e-mail of each order. */
const ONCE = `SELECT subject || ' ' || type AS problem FROM events
    WHERE type IN ('order.created', 'order.paid', 'order.shipped', 'order.completed', 'order.cancelled', 'order.expired')
    GROUP BY subject, type HAVING count(*) > 1
  UNION ALL SELECT number || ' has no event' FROM orders
    WHERE NOT EXISTS (SELECT 1 FROM events WHERE subject = 'order:' || orders.id AND type = 'order.created')
  UNION ALL SELECT number || ' has no event of its payment' FROM orders WHERE paid_at IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM events WHERE subject = 'order:' || orders.id AND type = 'order.paid')
  UNION ALL SELECT number || ' was confirmed ' || count(key) || ' times' FROM orders
    LEFT JOIN emails ON order_id = orders.id AND template = 'order_confirmation' GROUP BY orders.id HAVING count(key) <> 1`;

const UNITS = `SELECT (SELECT sum(stock_quantity) FROM products WHERE sku LIKE 'SOAK-%') + (
  SELECT coalesce(sum(stock_allocations.quantity + sent), 0) FROM stock_allocations
  JOIN order_items ON order_items.id = order_item_id WHERE sku LIKE 'SOAK-%') AS n`;

const LATE =
  "SELECT number AS problem FROM orders WHERE status = 'pending' AND expires_at < unixepoch() * 1000 - 120000";

/** Tables that are empty once all work is done. */
const QUEUED = ["failed_items", "payments_to_close", "preconditions"]
  .map((table) => `SELECT '${table}' AS problem FROM ${table}`)
  .join(" UNION ALL ");

/** Compares the shop's data with everything that was acknowledged. */
export async function findProblems({ shop, client, staff, placed, receiver, mails }: World): Promise<Problems> {
  const problems = async (sql: string) => (await shop.query<{ problem: string }>(sql)).map(({ problem }) => problem);
  const stored = new Set((await shop.query<{ id: number }>("SELECT id FROM orders")).map(({ id }) => id));
  const [units] = await shop.query<{ n: number }>(UNITS);
  const events = await shop.query<{ id: number }>("SELECT id FROM events WHERE type LIKE 'order.%'");
  const received = new Set(receiver.received.map(({ id }) => id));
  const emails = await shop.query<{ key: string; state: string }>("SELECT key, state FROM emails");
  const { imports } = staff.counts;
  const [imported] = await shop.query<{ n: number }>(
    `SELECT count(*) AS n FROM products WHERE sku LIKE 'IMPORT-%' AND price = ${imports * 100} AND name LIKE '% v${imports}'`,
  );
  const keys = new Set(emails.map(({ key }) => key));
  const rules = Object.entries(await brokenRules(shop.database()))
    // Tests cover this for only a few routes.
    .filter(([rule]) => !rule.startsWith("a remembered answer"))
    .map(([rule, rows]) => `${rule}: ${JSON.stringify(rows).slice(0, 300)}`);
  return {
    "every acknowledged order is there": [...placed].filter((id) => !stored.has(id)).map(String),
    "every order was acknowledged": [...stored].filter((id) => !placed.has(id)).map(String),
    "all rules of money and stock hold": rules,
    "no unit of stock is lost": units?.n === staff.stock.units() ? [] : [`${units?.n} of ${staff.stock.units()}`],
    "orders have each event and their confirmation once": await problems(ONCE),
    "unpaid orders expire": await problems(LATE),
    "every event was delivered": events.filter(({ id }) => !received.has(id)).map(({ id }) => String(id)),
    "deliveries of one subject are in order": outOfOrder(receiver),
    "every delivery is signed": receiver.refused,
    "every e-mail was sent once": [
      ...emails.filter(({ key, state }) => state !== "sent" || !mails.has(key)).map(({ key }) => key),
      ...[...mails].filter((key) => !keys.has(key)),
    ],
    "imports are applied whole": imports === 0 || imported?.n === IMPORTED ? [] : [`${imported?.n} products`],
    "queues are empty": await problems(QUEUED),
    "requests got what they asked for": client.faults,
  };
}

/** Subjects of which an event was delivered before an older one. */
const outOfOrder = ({ received }: Receiver): string[] =>
  [...Map.groupBy(received, ({ subject }) => subject)].flatMap(([subject, events]) => {
    const ids = [...new Set(events.map(({ id }) => id))];
    return ids.some((id, at) => id < (ids[at - 1] ?? 0)) ? [`${subject}: ${ids.join(", ")}`] : [];
  });
