import { or, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Caller } from "../../platform/auth/caller.ts";
import type { Database } from "../../platform/db/client.ts";
import { namingWords, productsFound, sellableOf } from "../../platform/db/found-products.ts";
import { limitTo, MAX_FOUND, newestMatching } from "../../platform/db/page.ts";
import { orderItems, orders, shipments } from "../../platform/db/schema.ts";
import { hasPrefix, matchExpression } from "../../platform/db/search-words.ts";
import { ordersWithTag } from "../../platform/db/tags.ts";
import { hasNumber } from "./orders.ts";
import { orderReferencePrefix } from "./reference.ts";
import { readsWhole } from "./visible-order.ts";

/**
 * Returns the ids of orders by the words of their customer, addresses and products, by a tag, by the order number, and by the
 * start of a reference or tracking number. Each way of finding them contributes at most `most`. An order number finds its order only.
 */
export const ordersFound = (search: string, caller: Caller, most = MAX_FOUND): SQL => sql`
  ${byNumber(search)}
  UNION SELECT id FROM (
    SELECT id FROM (${byCode(search)} ${limitTo(most)})
    UNION SELECT id FROM (${ordersWithTag(search)} ORDER BY order_id DESC ${limitTo(most)})
    UNION SELECT id FROM (${ofBuyers(search, caller, most)} ${limitTo(most)})
    UNION SELECT id FROM (${ofProducts(search, most)} ${limitTo(most)})
  ) WHERE NOT EXISTS (${byNumber(search)})`;

const byNumber = (search: string): SQL => sql`SELECT ${orders.id} FROM ${orders} WHERE ${hasNumber(search)}`;

/** By the beginning of a reference or of a tracking number, which is long. */
function byCode(search: string): SQL {
  const prefix = orderReferencePrefix(search);
  const referred = prefix === null ? sql`FALSE` : hasPrefix(sql`${orders.reference}`, prefix);
  const spellings = search.length < 6 ? [] : new Set([search, search.replaceAll(" ", "")]);
  const tracked = or(sql`FALSE`, ...[...spellings].map((number) => hasPrefix(trackingNumber, number)));
  return sql`SELECT ${orders.id} FROM ${orders} WHERE ${referred}
    UNION SELECT ${shipments.orderId} AS id FROM ${shipments} WHERE ${tracked}`;
}

/** In the words of the index shipments_by_tracking_number. */
const trackingNumber = sql`tracking_number COLLATE NOCASE`;

/** The query of the full-text index. A telephone number is also found by its last digits, in whatever spelling. */
function wordsOf(search: string): string | null {
  const words = matchExpression(search);
  const digits = search.replaceAll(/\D/g, "");
  const isPhone = digits.length >= 7 && /^[\d\s+()./·•-]+$/.test(search);
  return words && isPhone ? `(${words}) OR "${digits.slice(-9)}"` : words;
}

/**
 * Orders by the words of their customer and addresses. A search by callers who may not read e-mail addresses and bills leaves these
 * out, because prefixes would let them try a word out letter by letter. The index holds both addresses in one column, so the words
 * must be those of the name and the shipping address of an order that is billed elsewhere.
 */
function ofBuyers(search: string, caller: Caller, most: number): SQL {
  const words = wordsOf(search);
  const found = (columns: string) =>
    newestMatching(sql`orders_search`, words === null ? null : `${columns} (${words})`, most);
  if (readsWhole(caller)) return placedByFound(found(""));
  const shown = sql`lower(ifnull(${placed.customerName}, '') || ' ' || ifnull(${placed.shippingAddress}, ''))`;
  return sql`${placedByFound(found("- customer_email :"))}
    WHERE ${placed.billingAddress} IS NULL OR ${placed.billingAddress} = ${placed.shippingAddress}
      OR NOT EXISTS (SELECT 1 FROM json_each(${JSON.stringify(search.trim().split(/\s+/))}) AS typed
        WHERE instr(${shown}, lower(typed.value)) = 0)
    UNION ${placedByFound(found("- {customer_email address_words} :"))}`;
}

const first = alias(orders, "first");
const placed = alias(orders, "placed");

/**
 * Returns the ids of all orders that share an entry of the index: those of a customer to an address. The index holds the first of
 * them, and the others are read from orders_by_customer, so that a search reads only what it finds.
 */
const placedByFound = (found: SQL, alsoRead = sql``): SQL => sql`
  SELECT ${placed.id} ${alsoRead} FROM (${found}) AS found
  CROSS JOIN ${orders} AS ${first} ON ${first.id} = found.id
  CROSS JOIN ${orders} AS ${placed} ON ${placed.customerEmail} IS ${first.customerEmail}
    AND ${placed.customerName} IS ${first.customerName}
    AND ${placed.shippingAddress} ->> 'address' IS ${first.shippingAddress} ->> 'address'
    AND ${placed.shippingAddress} IS ${first.shippingAddress} AND ${placed.billingAddress} IS ${first.billingAddress}`;

/** The newest orders of each product that the search names. */
const ofProducts = (search: string, most: number): SQL => sql`
  SELECT line.value AS id FROM (${sellableNamed(search)}) AS found CROSS JOIN json_each((
    SELECT json_group_array(order_id) FROM (
      SELECT order_id FROM ${orderItems} WHERE product_id = found.id AND quantity > 0 ORDER BY id DESC ${limitTo(most)}
    ))) AS line`;

const sellableNamed = (search: string): SQL => sellableOf(productsFound(search, namingWords(search)));

/** Entries of the index, and lines of a product, that are read together. */
const TOGETHER = 1_000;

/** Yields the id of each matching order once: first by number, reference, tracking number or tag, then by customer, then by product. */
export async function* idsOfSearch(db: Database, search: string): AsyncGenerator<number[]> {
  const given = new Set<number>();
  const fresh = (rows: { id: number }[]) => {
    const ids = new Set(rows.map(({ id }) => id).filter((id) => !given.has(id)));
    for (const id of ids) given.add(id);
    return [...ids];
  };
  const numbered = fresh(await db.all(byNumber(search)));
  if (numbered.length > 0) return yield numbered;
  yield fresh(await db.all(byCode(search)));
  for (let after: number | undefined = 0; after !== undefined; ) {
    const rows: { id: number }[] = await db.all(
      sql`${ordersWithTag(search)} AND order_id > ${after} ORDER BY order_id LIMIT ${TOGETHER}`,
    );
    yield fresh(rows);
    after = rows.length < TOGETHER ? undefined : rows.at(-1)?.id;
  }
  const words = wordsOf(search);
  for (let after: number | undefined = 0; words !== null && after !== undefined; ) {
    const rows: { id: number; entry: number }[] = await db.all(ofEntries(words, after));
    yield fresh(rows);
    const entries = new Set(rows.map(({ entry }) => entry));
    after = entries.size < TOGETHER ? undefined : Math.max(...entries);
  }
  for (const product of await db.all<{ id: number }>(sellableNamed(search))) {
    for (let after: number | undefined = 0; after !== undefined; ) {
      const rows: { id: number; line: number }[] = await db.all(sql`
        SELECT order_id AS id, id AS line FROM ${orderItems} WHERE product_id = ${product.id} AND quantity > 0 AND id > ${after}
        ORDER BY id LIMIT ${TOGETHER}`);
      yield fresh(rows);
      after = rows.length < TOGETHER ? undefined : rows.at(-1)?.line;
    }
  }
}

function ofEntries(words: string, after: number): SQL {
  const found = sql`SELECT rowid AS id FROM orders_search WHERE orders_search MATCH ${words} AND rowid > ${after}
    ORDER BY rowid LIMIT ${TOGETHER}`;
  return sql`${placedByFound(found, sql`, found.id AS entry`)} ORDER BY ${placed.id}`;
}
