import { sql } from "drizzle-orm";
import {
  type AnySQLiteColumn,
  check,
  foreignKey,
  index,
  integer,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";
import { users } from "../../accounts/users/tables.ts";
import { pageVersions } from "../../catalogue/pages/tables.ts";
import { productTypes } from "../../catalogue/products/listing/tables.ts";
import { products, withdrawalRules } from "../../catalogue/products/tables.ts";
import type { Address } from "../../domain/address.ts";
import { languages } from "../../domain/language.ts";
import type { License } from "../../domain/license.ts";
import type { OptionValue } from "../../domain/option-values.ts";
import { paymentMethods } from "../../domain/payment-methods.ts";
import { apiKeys } from "../../integrations/api-keys/tables.ts";
import {
  createdAt,
  flag,
  foldedWordsColumn,
  foreignId,
  isFolded,
  rowId,
  updatedAt,
} from "../../platform/db/columns.ts";
import type { shippingMethodKinds } from "../shipping/tables.ts";
import { taxClasses, type VatCheck } from "../taxes/tables.ts";

export const orderStatuses = [
  "pending",
  "processing",
  "shipped",
  "completed",
  "cancelled",
  "expired",
  "refunded",
] as const;
export const paymentStatuses = [
  "unpaid",
  "requires_action",
  "failed",
  "paid",
  "partially_refunded",
  "refunded",
] as const;

export const fulfillmentStatuses = ["not_required", "unfulfilled", "partially_fulfilled", "fulfilled"] as const;

/** Reasons of the VAT law for which a sale has no tax. Staff and accounts have reasons in words. */
export const taxExemptions = [
  "reverse_charge",
  "intra_community_supply",
  "export",
  "small_business",
  "voucher",
] as const;
export type TaxExemption = (typeof taxExemptions)[number];

/** A tax of an order or line: rate in millionths, amount in minor units. Both are 0 with an exemption. */
export type StoredTaxLine = { name: string; rate: number; amount: number; exemption?: TaxExemption };

/** Terms of a discount by staff: an amount in minor units, or a percentage in millionths. */
export type GivenDiscount = { amount: number | null; percent: number | null };

/** A discount as applied to an order. `id` is null if staff gave it, or if tax that is not due was taken out of inclusive prices. */
export type OrderDiscount = {
  id: number | null;
  code: string | null;
  name: string;
  amount: number;
  given?: GivenDiscount;
};

/** Shipping of an order. `id` is null if staff named and priced it. */
export type OrderShippingMethod = {
  id: number | null;
  name: string;
  kind: (typeof shippingMethodKinds)[number];
  min_days: number | null;
  max_days: number | null;
};

export const orders = sqliteTable(
  "orders",
  {
    id: rowId(),
    /**
     * Random, so that nobody can guess another order's. Links and providers name an order by it, and a batch its own
     * order.
     */
    reference: text().notNull().unique(),
    /** The prefix of the shop when the order was placed, and the sequence. */
    number: text().notNull(),
    /** Counts up without gaps from the shop's first number, and down from -1 for orders of test keys. Prefixes end with no digit, so the number is as unique. */
    sequence: integer().notNull().unique(),
    userId: integer("user_id").references(() => users.id),
    apiKeyId: integer("api_key_id"),
    /** The order whose subscription this one renews. Null for all other orders. */
    renewalOf: integer("renewal_of").references((): AnySQLiteColumn => orders.id),
    /** Id in another system, short texts of programs, and names of tags by staff. */
    externalId: text("external_id"),
    metadata: text({ mode: "json" }).$type<Record<string, string>>().notNull().default({}),
    tags: text({ mode: "json" }).$type<string[]>().notNull().default([]),
    status: text({ enum: orderStatuses }).notNull(),
    paymentStatus: text("payment_status", { enum: paymentStatuses }).notNull(),
    fulfillmentStatus: text("fulfillment_status", { enum: fulfillmentStatuses }).notNull(),
    currency: text().notNull(),
    subtotal: integer().notNull(),
    /** On line items and shipping. */
    discountTotal: integer("discount_total").notNull().default(0),
    /** Before its discount, excluding added tax. */
    shippingTotal: integer("shipping_total").notNull().default(0),
    shippingDiscount: integer("shipping_discount").notNull().default(0),
    shippingTax: integer("shipping_tax").notNull().default(0),
    /** On line items and shipping; included in prices or added to them. */
    taxTotal: integer("tax_total").notNull().default(0),
    pricesIncludeTax: flag("prices_include_tax").notNull().default(false),
    total: integer().notNull(),
    refundedTotal: integer("refunded_total").notNull().default(0),
    /** Parts of the refunded total that were paid for shipping, and as tax. */
    refundedShipping: integer("refunded_shipping").notNull().default(0),
    refundedTax: integer("refunded_tax").notNull().default(0),
    /** Part of the payment of a provider's order that the shop received another way, after edits. Refunded last. */
    receivedByHand: integer("received_by_hand").notNull().default(0),
    taxLines: text("tax_lines", { mode: "json" }).$type<StoredTaxLine[]>().notNull().default([]),
    discounts: text({ mode: "json" }).$type<OrderDiscount[]>().notNull().default([]),
    shippingMethod: text("shipping_method", { mode: "json" }).$type<OrderShippingMethod>(),
    taxExemptReason: text("tax_exempt_reason"),
    /** Null if no VAT ID was checked. */
    vatCheck: text("vat_check", { mode: "json" }).$type<VatCheck>(),
    paymentMethod: text("payment_method", { enum: paymentMethods }).notNull(),
    /** True for an order of a test key: it takes no stock, number, discount or e-mail from the shop's real orders. */
    sandbox: flag("sandbox").notNull().default(false),
    /** Provider of the payment: "stripe", "paypal", or null if no provider is enabled. */
    paymentProvider: text("payment_provider"),
    /** The provider's id of the payment. */
    paymentReference: text("payment_reference"),
    /** Address of the payment page. */
    paymentUrl: text("payment_url"),
    paidAt: integer("paid_at"),
    /** Language of the order's e-mails. Null for the account's or the shop's. */
    language: text({ enum: languages }),
    /** Counts the links to a guest's order that were replaced, which open nothing any more. */
    linkVersion: integer("link_version").notNull().default(0),
    customerName: text("customer_name"),
    foldedWords: foldedWordsColumn(),
    customerEmail: text("customer_email"),
    shippingAddress: text("shipping_address", { mode: "json" }).$type<Address>(),
    billingAddress: text("billing_address", { mode: "json" }).$type<Address>(),
    /**
     * Destination country when the order was placed. Sales use it, because addresses may be corrected or erased. Null in
     * older orders.
     */
    country: text(),
    /** Time until which an unpaid order is to be paid. A pending one then releases its stock; one that is paid later does not. */
    expiresAt: integer("expires_at"),
    /** Keyed hash of the network of a guest, for limits of unpaid orders. Null once the order is paid, cancelled or expired. */
    unpaidFrom: text("unpaid_from"),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    /** Author of the last change, and its note, copied to the history: "user:7", "api_key:3", "system". */
    updatedBy: text("updated_by").notNull(),
    note: text(),
    /** Hash of the request and its caller, equal for a repeated order. */
    fingerprint: text(),
    /** True if the order was placed with an Idempotency-Key and may equal another. */
    keyed: flag("keyed").notNull().default(false),
    /** The version of the shop's terms that the buyer accepted. */
    acceptedTerms: integer("accepted_terms").references(() => pageVersions.id),
    /** True if the buyer asked for downloads at once, which ends the right of withdrawal. */
    downloadConsent: flag("download_consent").notNull().default(false),
  },
  (table) => [
    // A test key places only sandbox orders, and a live key never does.
    foreignKey({ columns: [table.apiKeyId, table.sandbox], foreignColumns: [apiKeys.id, apiKeys.test] }),
    check("order_number_ends_with_sequence", sql.raw(`"number" = rtrim("number", '0123456789') || abs("sequence")`)),
    check(
      "sandboxed_order_is_apart",
      sql.raw(
        `iif("sandbox", "sequence" < 0 AND "payment_method" = 'test_card' AND "user_id" IS NULL AND "api_key_id" IS NOT NULL, "sequence" > 0)`,
      ),
    ),
    isFolded("order_words_are_folded", `ifnull("customer_name", '')`),
    // Orders by staff for a guest have neither.
    check("order_has_at_most_one_owner", sql.raw(`"user_id" IS NULL OR "api_key_id" IS NULL`)),
    check(
      "order_total_adds_up",
      sql.raw(
        `"total" = "subtotal" - "discount_total" + "shipping_total" + iif("prices_include_tax", 0, "tax_total") AND "total" >= 0`,
      ),
    ),
    check(
      "order_shipping_adds_up",
      sql.raw(`"shipping_discount" BETWEEN 0 AND "shipping_total" AND "shipping_tax" BETWEEN 0 AND "tax_total"`),
    ),
    check(
      "order_keeps_no_money_when_it_ends",
      sql.raw(`"status" NOT IN ('cancelled', 'expired') OR "payment_status" NOT IN ('paid', 'partially_refunded')`),
    ),
    check("order_refund_within_total", sql.raw(`"refunded_total" BETWEEN 0 AND "total"`)),
    check("order_refunded_tax_within", sql.raw(`"refunded_tax" BETWEEN 0 AND min("tax_total", "refunded_total")`)),
    check(
      "order_refunded_shipping_within",
      sql.raw(
        `"refunded_shipping" BETWEEN 0 AND min("refunded_total", "shipping_total" - "shipping_discount" + iif("prices_include_tax", 0, "shipping_tax"))`,
      ),
    ),
    // An order writes a page for each index that contains it. Beyond 15 pages, SQLite's undo journal spills to a file, which
    // cost a tenth of an order. So indexes are partial, and the first line writes the charge (order_is_charged).
    // A test order takes no id from a real one.
    uniqueIndex("orders_by_external_id").on(table.externalId, table.sandbox).where(sql.raw("external_id IS NOT NULL")),
    index("orders_by_user").on(table.userId, table.id).where(sql.raw("user_id IS NOT NULL")),
    index("orders_by_key").on(table.apiKeyId, table.id).where(sql.raw("api_key_id IS NOT NULL")),
    index("orders_by_key_and_status")
      .on(table.apiKeyId, table.status, table.id)
      .where(sql.raw("api_key_id IS NOT NULL")),
    index("orders_by_status").on(table.status, table.id),
    index("orders_by_payment").on(table.paymentStatus, table.id),
    index("orders_by_fulfillment").on(table.fulfillmentStatus, table.id),
    index("orders_by_creation").on(table.createdAt),
    index("orders_by_update").on(table.updatedAt),
    // With the street, because the search keeps one entry for each address of a customer.
    index("orders_by_customer").on(
      table.customerEmail,
      table.customerName,
      sql`shipping_address ->> 'address'`,
      table.fingerprint,
      table.createdAt,
    ),
    index("orders_waiting")
      .on(table.status, table.userId, table.customerEmail, table.apiKeyId)
      .where(sql.raw(`status IN ('pending', 'processing') AND expires_at IS NOT NULL`)),
    index("orders_by_expiry").on(table.expiresAt).where(sql.raw(`status = 'pending' AND expires_at IS NOT NULL`)),
  ],
);

export const orderItems = sqliteTable(
  "order_items",
  {
    id: rowId(),
    orderId: foreignId("order_id", () => orders.id),
    productId: foreignId("product_id", () => products.id),
    // Snapshot of the product when it was sold.
    name: text().notNull(),
    sku: text().notNull(),
    optionValues: text("option_values", { mode: "json" }).$type<OptionValue[]>().notNull().default([]),
    type: text({ enum: productTypes }).notNull(),
    requiresShipping: flag("requires_shipping").notNull(),
    /** 0 if an edit removed the line. Such lines are hidden. */
    quantity: integer().notNull(),
    unitPrice: integer("unit_price").notNull(),
    /** Catalogue price when the line was sold, if staff set another price. Null for all other lines. */
    listPrice: integer("list_price"),
    /** Units multiplied by price. */
    total: integer().notNull(),
    discount: integer().notNull().default(0),
    /** Included in prices or added to them, as the order says. */
    tax: integer().notNull().default(0),
    taxLines: text("tax_lines", { mode: "json" }).$type<StoredTaxLine[]>().notNull().default([]),
    categoryId: integer("category_id"),
    taxClass: text("tax_class", { enum: taxClasses }).notNull().default("standard"),
    weightGrams: integer("weight_grams"),
    withdrawal: text({ enum: withdrawalRules }).notNull().default("standard"),
    /** Cost of one unit to the shop. For staff only. */
    cost: integer(),
    /** Terms of the license keys of the units. Null if they have none. */
    license: text({ mode: "json" }).$type<License>(),
    refundedQuantity: integer("refunded_quantity").notNull().default(0),
    /** Includes units that were refunded afterwards. */
    shippedQuantity: integer("shipped_quantity").notNull().default(0),
    /** Texts of programs, such as an engraving. */
    metadata: text({ mode: "json" }).$type<Record<string, string>>().notNull().default({}),
  },
  (table) => [
    check("line_quantity_not_negative", sql.raw(`"quantity" >= 0`)),
    check("line_total_adds_up", sql.raw(`"total" = "unit_price" * "quantity"`)),
    check("line_discount_within_total", sql.raw(`"discount" BETWEEN 0 AND "total" AND "tax" >= 0`)),
    check("line_refund_within_quantity", sql.raw(`"refunded_quantity" BETWEEN 0 AND "quantity"`)),
    index("order_items_by_order").on(table.orderId),
    index("order_items_by_product").on(table.productId),
    // Paying an order without license keys or gift cards reads none of its lines.
    index("order_items_licensed").on(table.orderId).where(sql.raw("license IS NOT NULL")),
    index("order_items_gift_cards").on(table.orderId).where(sql.raw("type = 'gift_card'")),
  ],
);

/** Refunded units of a line, written by a trigger: refunded before and after. */
export const refundLines = sqliteTable("refund_lines", {
  id: rowId(),
  orderItemId: foreignId("order_item_id", () => orderItems.id),
  refundedBefore: integer("refunded_before").notNull(),
  refunded: integer().notNull(),
  createdAt: createdAt(),
});
