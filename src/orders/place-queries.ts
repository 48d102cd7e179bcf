import { eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import { auditEntry } from "../audit/queries.ts";
import type { Database } from "../db/client.ts";
import { grantsFiles } from "../db/grants-files.ts";
import { addresses, products, users } from "../db/schema.ts";
import { addressParts } from "../domain/address.ts";
import { placementEntry } from "./audit.ts";
import { addressIdsOf, type OrderAddress, type OrderDraft } from "./draft.ts";
import type { OrderState } from "./order-errors.ts";
import { selectResent } from "./resent-queries.ts";
import type { OrderRow } from "./schemas.ts";
import {
  heldUnpaid,
  requireVerified,
  selectUnpaidUnits,
  selectWaitingOrders,
  setUnpaidLimits,
} from "./unpaid-queries.ts";
import { writeOrder } from "./write-queries.ts";

/** Inserts an order with all its consequences. Null says that a guard of the database refused it. */
export function insertOrder(db: Database, draft: OrderDraft): Promise<OrderRow | null> {
  const { number } = draft;
  return writeOrder(db, number, draft, [
    ...(draft.paid ? [] : [setUnpaidLimits(draft.unpaidLimits)]),
    ...(draft.verifiedBuyers && draft.userId !== null ? [requireVerified(draft.userId)] : []),
    ...requireAddresses(draft),
    insertHead(draft),
    insertLines(draft),
    ...takeCartLines(draft),
    ...(draft.audit
      ? [auditEntry(draft.audit, placementEntry(draft), sql`(SELECT id FROM orders WHERE number = ${number})`)]
      : []),
  ]);
}

/** What an order meets in the database: read when it was refused, or before a payment is opened for it. */
export async function readOrderState(db: Database, draft: OrderDraft): Promise<OrderState> {
  const { lines, userId } = draft;
  const ids = sql`(SELECT value FROM json_each(${JSON.stringify(lines.map((line) => line.productId))}))`;
  const [found, [user], [waiting], unpaid, [resent], known] = await db.batch([
    db
      .select({ ...getTableColumns(products), grantsFiles })
      .from(products)
      .where(sql`${products.id} IN ${ids}`),
    db
      .select({
        walletBalance: users.walletBalance,
        emailVerifiedAt: users.emailVerifiedAt,
        heldUnpaid: heldUnpaid(userId),
      })
      .from(users)
      .where(eq(users.id, userId ?? 0)),
    selectWaitingOrders(db, draft),
    selectUnpaidUnits(db, draft),
    selectResent(db, draft),
    db
      .select({ id: addresses.id })
      .from(addresses)
      .where(sql`user_id = ${userId} AND id IN (SELECT value FROM json_each(${JSON.stringify(addressIdsOf(draft))}))`),
  ]);
  return {
    products: new Map(found.map((product) => [product.id, product])),
    user,
    ordersWaiting: waiting?.orders ?? 0,
    unpaidUnits: new Map(unpaid.map(({ productId, quantity }) => [productId, Number(quantity)])),
    resent: resent?.number,
    addressBook: new Set(known.map(({ id }) => id)),
  };
}

const linesOf = ({ lines }: OrderDraft): SQL =>
  sql`json_each(${JSON.stringify(lines.map(({ productId, quantity, unitPrice }) => [productId, quantity, unitPrice]))})`;

const insertHead = (draft: OrderDraft): SQL => {
  const {
    number,
    userId,
    apiKeyId,
    currency,
    total,
    paymentMethod,
    paid,
    payment,
    customer,
    shippingAddress,
    billingAddress,
    expiresAt,
    fingerprint,
    now,
  } = draft;
  const [name, email] = customer ? [customer.name, customer.email] : [sql`users.name`, sql`users.email`];
  const paymentStatus = payment ? "requires_action" : paid ? "paid" : "unpaid";
  return sql`
    INSERT INTO orders (number, user_id, api_key_id, status, payment_status, fulfillment_status, currency, subtotal, total,
      payment_method, payment_provider, payment_reference, payment_url, paid_at, customer_name, customer_email, shipping_address, billing_address,
      expires_at, created_at, updated_at, updated_by, fingerprint, keyed)
    SELECT ${number}, ${userId}, ${apiKeyId}, ${paid ? sql`iif(sends, 'processing', 'completed')` : "pending"}, ${paymentStatus},
      iif(sends, 'unfulfilled', 'not_required'), ${currency}, ${total}, ${total}, ${paymentMethod},
      ${payment?.provider ?? null}, ${payment?.reference ?? null}, ${payment?.url ?? null}, ${paid ? now : null},
      ${name}, ${email}, ${addressAsJson(shippingAddress)}, ${addressAsJson(billingAddress)}, ${paid ? null : expiresAt}, ${now}, ${now}, ${draft.actor}, ${fingerprint},
      ${draft.claim !== undefined}
    FROM (
      SELECT EXISTS (
        SELECT 1 FROM ${linesOf(draft)} AS line JOIN products ON products.id = line.value ->> 0
        WHERE products.requires_shipping
      ) AS sends
    ) LEFT JOIN users ON users.id = ${userId}`;
};

/** Refuses an address that is not in the buyer's address book, any more. */
const requireAddresses = (draft: OrderDraft): SQL[] =>
  addressIdsOf(draft).map(
    (id) =>
      sql`INSERT INTO preconditions (holds) SELECT EXISTS (SELECT 1 FROM addresses WHERE id = ${id} AND user_id = ${draft.userId})`,
  );

/** What the order keeps of an address: all of its parts, as they are now. */
const addressAsJson = (address: OrderAddress): SQL => {
  if (address === null) return sql`NULL`;
  if (!("id" in address)) return sql`${JSON.stringify(address)}`;
  const parts = sql.raw(addressParts.map((part) => `'${part}', ${part}`).join(", "));
  return sql`(SELECT json_object(${parts}) FROM addresses WHERE id = ${address.id})`;
};

/** The snapshot of what is sold, in the order of the lines; order_item_is_sold refuses what cannot be, and takes its stock. */
const insertLines = (draft: OrderDraft): SQL => sql`
  INSERT INTO order_items (order_id, product_id, name, sku, type, requires_shipping, category_id, tax_class, weight_grams, quantity, unit_price, total)
  SELECT (SELECT id FROM orders WHERE number = ${draft.number}), line.value ->> 0, products.name, products.sku, products.type,
    products.requires_shipping, products.category_id, products.tax_class, products.weight_grams, line.value ->> 1, line.value ->> 2, (line.value ->> 1) * (line.value ->> 2)
  FROM ${linesOf(draft)} AS line LEFT JOIN products ON products.id = line.value ->> 0`;

/** What was ordered leaves the cart, if the buyer has one; a line that held more keeps the rest. */
const takeCartLines = (draft: OrderDraft): SQL[] => {
  const { userId, cartTokenHash } = draft;
  if (userId === null && cartTokenHash === null) return [];
  const owner = userId === null ? sql`token_hash = ${cartTokenHash}` : sql`user_id = ${userId}`;
  const cart = sql`cart_id = (SELECT id FROM carts WHERE ${owner})`;
  const ordered = sql`(SELECT sum(value ->> 1) FROM ${linesOf(draft)} WHERE value ->> 0 = cart_items.product_id)`;
  return [
    sql`DELETE FROM cart_items WHERE ${cart} AND quantity <= ${ordered}`,
    sql`UPDATE cart_items SET quantity = quantity - ${ordered} WHERE ${cart} AND ${ordered} > 0`,
  ];
};
