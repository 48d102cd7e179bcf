import { eq, type SQL, sql } from "drizzle-orm";
import { termsAreCurrent } from "../../../catalogue/pages/public.ts";
import { auditEntry, auditedKey } from "../../../platform/audit/audit.ts";
import {
  countSpending,
  countStoredBytes,
  jsonBytes,
  type Spend,
  spendingRefused,
} from "../../../platform/auth/author-limits.ts";
import type { WriteContext } from "../../../platform/auth/caller.ts";
import { addresses, type OrderDiscount, type OrderShippingMethod } from "../../../platform/db/schema.ts";
import { foldedWords, searchedTexts } from "../../../platform/db/search-words.ts";
import { precondition } from "../../../platform/db/statements.ts";
import { issueInvoice } from "../../invoices/public.ts";
import type { PricingResult, ProductFacts } from "../../pricing/public.ts";
import { placementEntry } from "../audit.ts";
import { externalIdRefused, writeOrder } from "../change.ts";
import type { OrderRow } from "../schemas.ts";
import { addressAsJson, addressIdsOf, buyerOf, type OrderAddress } from "./draft.ts";
import type { PricedOrder } from "./price-order.ts";
import { requireVerified, setUnpaidLimits } from "./unpaid.ts";
import { amountSpent, valueGivenAway } from "./value-given-away.ts";

/** Inserts an order and everything that follows from it. Returns null if its data is outdated. */
export function insertOrder(
  { db, caller, author: { storage, ...author } }: Pick<WriteContext, "db" | "caller" | "author">,
  order: PricedOrder,
): Promise<OrderRow | null> {
  const lines = orderLinesOf(order);
  // Orders that are charged immediately do not count towards what the buyer may store.
  const isCharged = order.paid && order.total > 0;
  const writer = { ...author, storage: isCharged ? undefined : storage };
  const audit = order.byStaff ? author : auditedKey(caller, author);
  const spending = spendingOf(order);
  const writes = [
    ...(spending ? countSpending(spending) : []),
    ...(order.paid ? [] : [setUnpaidLimits(order.unpaidLimits)]),
    ...(order.verifiedBuyers && order.userId !== null ? [requireVerified(order.userId)] : []),
    ...requireAddresses(order),
    insertHead(order, lines, author.actor),
    insertLines(order, lines),
    requireSums(order),
    ...(order.alongside ?? []),
    ...redeemDiscounts(order),
    ...takeCartLines(order, lines),
    ...(order.paid ? [issueInvoice(order.reference, "payment")] : []),
    ...countStoredBytes({ author: writer }, bytesOf(order)),
    ...(audit ? [auditEntry({ author: audit }, { ...placementEntry(order), id: idOf(order) })] : []),
  ];
  const refusals = { ...externalIdRefused, ...(spending && spendingRefused({ db, ...spending })) };
  return writeOrder({ db, author: writer }, { reference: order.reference, writes, refusals });
}

/** Amount that an order counts towards the limits of staff. Undefined for orders of buyers. */
function spendingOf({ givenBy, byStaff, facts, ...order }: PricedOrder): Spend | undefined {
  if (!givenBy) return undefined;
  const { now, paid, paymentMethod } = order;
  const given = valueGivenAway(order, facts, { now, unpaidBy: paid ? undefined : paymentMethod });
  const growth = given - givenBy.alreadyCounted;
  return { author: givenBy.spender, amount: amountSpent(byStaff?.paid ? order.total : 0, growth) };
}

/**
 * Bytes that an order stores: 5000 with its history, events and e-mails, 1000 for each line, 100 for each file, and the
 * buyer's data in the order, the search index and the e-mails.
 */
const bytesOf = (
  order: PricedOrder,
): SQL => sql`${5000 + 1000 * order.lines.length + 4 * jsonBytes(buyerData(order))} + 100 * (
  SELECT count(*) FROM packages JOIN package_files ON package_id = packages.id WHERE order_id = ${idOf(order)})`;

const buyerData = (order: PricedOrder) => [
  order.customer,
  order.shippingAddress,
  order.billingAddress,
  order.discountCodes,
  order.metadata,
  order.note,
  order.lines.map(({ metadata }) => metadata),
];

const idOf = ({ reference }: Pick<PricedOrder, "reference">): SQL =>
  sql`(SELECT id FROM orders WHERE reference = ${reference})`;

/** Product columns that its price depends on. */
const factColumns = {
  type: "type",
  requiresShipping: "requires_shipping",
  categoryId: "category_id",
  taxClass: "tax_class",
  weightGrams: "weight_grams",
  parentId: "parent_id",
  renews: "renews",
} satisfies Record<keyof ProductFacts, string>;

const factNames = Object.keys(factColumns).filter((name): name is keyof ProductFacts => name in factColumns);

/** Facts of the joined product, as JSON. */
const currentFacts = sql.raw(
  `json_array(${Object.values(factColumns)
    .map((name) => `products.${name}`)
    .join(", ")})`,
);

/** Data of the product with which a line was priced, in SQLite's notation: a flag is 0 or 1. */
const pricedFacts = (product: ProductFacts | undefined) =>
  product
    ? factNames.map((name) => (typeof product[name] === "boolean" ? Number(product[name]) : product[name]))
    : null;

/** Order lines as [product, quantity, unit price, discount, tax, tax lines, priced product data, list price, metadata]. */
export const orderLinesOf = ({ lines, pricing, facts }: Pick<PricedOrder, "lines" | "pricing" | "facts">): SQL =>
  sql`json_each(${JSON.stringify(
    lines.map(({ productId, quantity, unitPrice, listPrice = null, metadata }, index) => {
      const { discount = 0, tax = 0, taxLines = [] } = pricing.lines[index] ?? {};
      const priced = pricedFacts(facts.products.get(productId));
      return [productId, quantity, unitPrice, discount, tax, taxLines, priced, listPrice, metadata];
    }),
  )})`;

export const storedDiscounts = ({ discounts }: PricingResult): OrderDiscount[] =>
  discounts.map(({ version: _, off: __, ...discount }) => discount);

export function storedShipping({ shippingMethod }: PricingResult): OrderShippingMethod | null {
  if (!shippingMethod) return null;
  const { price: _, ...method } = shippingMethod;
  return method;
}

/** Order columns that do not depend on the database. `->>` reads a flag as 0 or 1, and a list or an object as JSON text. */
function knownColumns(order: PricedOrder, actor: string) {
  const { payment, paid, pricing, now } = order;
  return {
    reference: order.reference,
    user_id: order.userId,
    renewal_of: order.renewalOf ?? null,
    api_key_id: order.apiKeyId,
    payment_status: payment?.url ? "requires_action" : paid ? "paid" : "unpaid",
    currency: order.currency,
    subtotal: pricing.subtotal,
    discount_total: pricing.discountTotal,
    shipping_total: pricing.shippingTotal,
    shipping_discount: pricing.shippingDiscount,
    shipping_tax: pricing.shippingTax,
    tax_total: pricing.taxTotal,
    prices_include_tax: pricing.pricesIncludeTax,
    total: order.total,
    tax_lines: pricing.taxLines,
    discounts: storedDiscounts(pricing),
    shipping_method: storedShipping(pricing),
    tax_exempt_reason: order.taxExemptReason,
    vat_check: order.vatCheck,
    payment_method: order.paymentMethod,
    language: order.language ?? null,
    sandbox: order.sandbox ?? false,
    payment_provider: payment?.provider ?? null,
    payment_reference: payment?.reference ?? null,
    payment_url: payment?.url ?? null,
    paid_at: paid ? now : null,
    unpaid_from: paid || order.sandbox ? null : order.unpaidFrom,
    created_at: now,
    updated_at: now,
    updated_by: actor,
    note: order.note ?? null,
    external_id: order.externalId ?? null,
    metadata: order.metadata ?? {},
    fingerprint: order.fingerprint,
    keyed: order.keyed,
    accepted_terms: order.acceptedTerms ?? null,
    download_consent: order.downloadConsent ?? false,
  };
}

/** Buyers without a verified e-mail address hold stock for a shorter time. */
function holdsUntil({ paid, shipsBeforePayment, expiresAt, unpaidLimits, now }: PricedOrder): SQL {
  if (paid || expiresAt === null) return sql`NULL`;
  if (shipsBeforePayment) return sql`${expiresAt}`;
  return sql`iif(users.email_verified_at IS NULL, ${Math.min(expiresAt, now + unpaidLimits.unverifiedMs)}, ${expiresAt})`;
}

/** Test orders are numbered separately, so that the numbers of real orders have no gaps. */
const NEXT_TEST = "(1 - min(0, coalesce((SELECT min(sequence) FROM orders), 0)))";

/** Order columns that depend on the database at the time of writing. */
const readColumns = ({
  sandbox,
  paid,
  shipsBeforePayment,
  customer,
  shippingAddress,
  billingAddress,
}: PricedOrder): Record<string, SQL> => ({
  number: sql.raw(sandbox ? `'TEST-' || ${NEXT_TEST}` : "next.prefix || next.sequence"),
  sequence: sql.raw(sandbox ? `-${NEXT_TEST}` : "next.sequence"),
  status: sql.raw(
    paid || shipsBeforePayment ? `iif(sends, 'processing', '${paid ? "completed" : "pending"}')` : "'pending'",
  ),
  fulfillment_status: sql.raw("iif(sends, 'unfulfilled', 'not_required')"),
  customer_name: customer ? sql`${customer.name}` : sql.raw("users.name"),
  folded_words: customer
    ? sql`${foldedWords(searchedTexts.orders({ customerName: customer.name }))}`
    : sql.raw("users.folded_words"),
  customer_email: customer ? sql`${customer.email}` : sql.raw("users.email"),
  shipping_address: addressAsJson(shippingAddress),
  billing_address: addressAsJson(billingAddress),
  country: countryOf(shippingAddress ?? billingAddress),
});

/**
 * Inserts no row if the rules or the account's exemption differ from those used for pricing, or if the terms are not
 * accepted, so that its lines have no order. Most columns are bound as one value, because Drizzle and D1 take time for each parameter.
 */
function insertHead(order: PricedOrder, lines: SQL, actor: string): SQL {
  const { userId, facts } = order;
  const [known, read] = [knownColumns(order, actor), { ...readColumns(order), expires_at: holdsUntil(order) }];
  const names = Object.keys(known);
  return sql`
    INSERT INTO orders (${sql.raw([...names, ...Object.keys(read)].join(", "))})
    SELECT ${sql.raw(names.map((name) => `known ->> '${name}'`).join(", "))}, ${sql.join(Object.values(read), sql.raw(", "))}
    FROM (
      SELECT ${JSON.stringify(known)} AS known, EXISTS (
        SELECT 1 FROM ${lines} AS line JOIN products ON products.id = line.value ->> 0
        WHERE products.requires_shipping
      ) AS sends
    ) JOIN next_order_number AS next LEFT JOIN users ON users.id = ${userId}
    WHERE (SELECT version FROM pricing_rules) = ${facts.rules.version} AND users.tax_exempt_reason IS ${facts.accountExemption}
      AND ${order.byStaff ? sql`TRUE` : termsAreCurrent(order.acceptedTerms ?? null)}`;
}

/** Refuses an address that was removed from the buyer's address book or changed since the order was priced. */
const requireAddresses = (order: PricedOrder): SQL[] =>
  addressIdsOf(order).map((id) => {
    const known = order.facts.addressBook.get(id);
    return precondition(sql`EXISTS (
      SELECT 1 FROM ${addresses} WHERE ${addresses.id} = ${id} AND ${addresses.userId} = ${order.userId}
        AND ${known ? eq(addresses.updatedAt, known.updatedAt) : sql`TRUE`})`);
  });

/** Country of an order's address. Defaults to the shop's country if there is no address or it names none. */
export function countryOf(address: OrderAddress): SQL {
  const home = sql`(SELECT home_country FROM shop)`;
  if (address === null) return home;
  if ("id" in address) return sql`coalesce((SELECT country FROM addresses WHERE id = ${address.id}), ${home})`;
  return address.country ? sql`${address.country}` : home;
}

/**
 * Inserts a snapshot of each product sold, in line order. order_item_is_sold refuses unavailable products and takes the
 * stock. A product that differs from the priced one has a null name, which a line must not have.
 */
export const insertLines = (order: Pick<PricedOrder, "reference">, lines: SQL): SQL => sql`
  INSERT INTO order_items (order_id, product_id, name, sku, option_values, type, requires_shipping, category_id, tax_class, weight_grams,
    withdrawal, cost, license, quantity, unit_price, total, discount, tax, tax_lines, list_price, metadata)
  SELECT ${idOf(order)}, line.value ->> 0, products.name, products.sku, products.option_values, products.type, products.requires_shipping,
    products.category_id, products.tax_class, products.weight_grams, products.withdrawal, products.cost, products.license, line.value ->> 1, line.value ->> 2,
    (line.value ->> 1) * (line.value ->> 2), line.value ->> 3, line.value ->> 4, line.value -> 5, line.value ->> 7,
    coalesce(line.value ->> 8, '{}')
  FROM ${lines} AS line LEFT JOIN products ON products.id = line.value ->> 0 AND (
    line.value ->> 6 IS NULL OR line.value ->> 6 = ${currentFacts})`;

/** Refuses an order whose totals do not match its lines and shipping. */
export const requireSums = (order: Pick<PricedOrder, "reference">): SQL =>
  precondition(sql`(
    SELECT (subtotal, discount_total - shipping_discount, tax_total - shipping_tax)
      = (SELECT sum(total), sum(discount), sum(tax) FROM order_items WHERE order_id = orders.id)
    FROM orders WHERE reference = ${order.reference})`);

/**
 * Redeems the order's discounts, including those that an edit released. discount_redemption_is_allowed refuses
 * discounts that have changed or ended.
 */
export const redeemDiscounts = (
  order: Pick<PricedOrder, "reference" | "userId" | "customer" | "pricing" | "sandbox" | "now">,
): SQL[] => {
  const used = order.pricing.discounts.filter(({ id }) => id !== null);
  if (used.length === 0 || order.sandbox) return [];
  const rows = JSON.stringify(used.map(({ id, version, amount }) => [id, version, amount]));
  return [
    sql`INSERT INTO discount_redemptions (discount_id, order_id, customer, discount_version, amount, created_at)
      SELECT value ->> 0, ${idOf(order)}, ${buyerOf(order).customer}, value ->> 1, value ->> 2, ${order.now} FROM json_each(${rows}) WHERE TRUE
      ON CONFLICT (order_id, discount_id) DO UPDATE SET
        discount_version = excluded.discount_version, amount = excluded.amount, released_at = NULL`,
  ];
};

/** Removes the ordered units from the buyer's cart, if there is one. A line with more units keeps the rest. */
const takeCartLines = (order: PricedOrder, lines: SQL): SQL[] => {
  const { userId, cartTokenHash } = order;
  if (order.byStaff || order.alongside || (userId === null && cartTokenHash === null)) return [];
  const owner = userId === null ? sql`token_hash = ${cartTokenHash}` : sql`user_id = ${userId}`;
  const cart = sql`cart_id = (SELECT id FROM carts WHERE ${owner})`;
  const ordered = sql`(SELECT sum(value ->> 1) FROM ${lines} WHERE value ->> 0 = cart_items.product_id)`;
  return [
    sql`DELETE FROM cart_items WHERE ${cart} AND quantity <= ${ordered}`,
    sql`UPDATE cart_items SET quantity = quantity - ${ordered} WHERE ${cart} AND ${ordered} > 0`,
  ];
};
