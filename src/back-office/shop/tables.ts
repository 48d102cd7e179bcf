import { sql } from "drizzle-orm";
import { check, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { users } from "../../accounts/users/tables.ts";
import type { Address } from "../../domain/address.ts";
import { languages } from "../../domain/language.ts";
import { agentAccesses } from "../../integrations/agents/tables.ts";
import { createdAt, flag, foreignId, id, updatedAt } from "../../platform/db/columns.ts";

/** When invoices are issued: by staff, or when an order is paid or shipped. */
export const invoiceMoments = ["manual", "payment", "shipment"] as const;

export const DEFAULT_COLOR = "#1a56db";

/** Settings of the shop. A single row. */
export const shop = sqliteTable(
  "shop",
  {
    id: integer().primaryKey(),
    name: text().notNull(),
    /** Address on invoices and for pickup. */
    address: text({ mode: "json" }).$type<Address>(),
    /** ISO 3166-1. Country of orders without one, and of the tax in inclusive prices. */
    homeCountry: text("home_country"),
    homeRegion: text("home_region"),
    /** ISO 4217. Null for the deployment's `CURRENCY`. */
    currency: text(),
    pricesIncludeTax: flag("prices_include_tax").notNull(),
    /** Contact details for buyers. Empty if e-mails and pages show none. */
    contact: text().notNull().default(""),
    /** IANA name. Days and times in the panel, on paper and in e-mails are in this zone. */
    timeZone: text("time_zone").notNull().default("UTC"),
    /** Shown above e-mails. */
    logo: text({ mode: "json" }).$type<{ url: string; alt: string }>(),
    /** Color of buttons in e-mails, as #rrggbb. */
    color: text().notNull().default(DEFAULT_COLOR),
    /** Sender of e-mails and address of replies. Null for the shop's name and the sender's address. */
    senderName: text("sender_name"),
    replyTo: text("reply_to"),
    /** Language of e-mails to buyers whose own is not known. */
    language: text({ enum: languages }).notNull().default("en"),
    /** Prefix of the numbers of future orders. */
    orderNumberPrefix: text("order_number_prefix").notNull().default("#"),
    /** Lowest number of future orders. */
    orderNumberStart: integer("order_number_start").notNull().default(1001),
    /** Days in which buyers can withdraw, 0 for none. Null for the law of the home country. */
    withdrawalDays: integer("withdrawal_days"),
    /** Days from a shipment to its delivery, with which the withdrawal period starts. */
    deliveryDays: integer("delivery_days").notNull().default(7),
    /** True if orders must accept the shop's terms. */
    termsRequired: flag("terms_required").notNull().default(false),
    agentAccess: text("agent_access", { enum: agentAccesses }).notNull().default("off"),
    /** Hosts of the profiles of agents that the shop answers if access is `listed`. */
    agentHosts: text("agent_hosts", { mode: "json" }).$type<string[]>().notNull().default([]),
    /** Recipient of e-mails about alerts. Null for all administrators. */
    alertEmail: text("alert_email"),
    /** Percentage of failed requests that raises an alert. */
    alertErrorPercent: integer("alert_error_percent").notNull().default(5),
    vatId: text("vat_id"),
    taxNumber: text("tax_number"),
    /** True for a small business that is exempt from VAT. */
    smallBusiness: flag("small_business").notNull().default(false),
    /** Terms on invoices to businesses. */
    businessTerms: text("business_terms"),
    /** Company register and number, as law wants them on invoices. */
    registration: text(),
    iban: text(),
    /** E-mail address on invoices. */
    invoiceEmail: text("invoice_email"),
    /** Time at which an order gets its invoice. */
    invoiceMoment: text("invoice_moment", { enum: invoiceMoments }).notNull().default("manual"),
    invoicePrefix: text("invoice_prefix").notNull().default(""),
    /** Minutes by which clocks in the time zone are ahead of UTC now. SQLite has no time zones. */
    utcOffset: integer("utc_offset").notNull().default(0),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  () => [
    check("shop_is_one", sql.raw(`"id" = 1`)),
    check("order_number_prefix_ends_with_no_digit", sql.raw(`"order_number_prefix" NOT GLOB '*[0-9]'`)),
  ],
);

/**
 * A single row whose version changes with every input of prices: the shop's home, zones, methods, tax rates and automatic
 * discounts. An order is written only at the version at which it was calculated.
 */
export const pricingRules = sqliteTable("pricing_rules", {
  id: integer().primaryKey(),
  /** Random. Empty until there are rules. */
  version: text().notNull(),
});

/** Lists that can have saved views. */
export const viewedLists = ["orders", "products", "users", "files"] as const;
export type ViewedList = (typeof viewedLists)[number];

/** A named set of a user's filters and sort order for a list. */
export const savedViews = sqliteTable(
  "saved_views",
  {
    id: id(),
    userId: foreignId("user_id", () => users.id, { onDelete: "cascade" }),
    list: text({ enum: viewedLists }).notNull(),
    name: text().notNull(),
    /** The list's query parameters. */
    filters: text({ mode: "json" }).$type<Record<string, string>>().notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [uniqueIndex("saved_views_by_name").on(table.userId, table.list, table.name)],
);

/** Formats of product feeds, named for who defines them. */
export const feedFormats = ["google", "openai"] as const;
export type FeedFormat = (typeof feedFormats)[number];

/** Lists of all products for sale, each for one destination that reads it at a secret URL. */
export const feeds = sqliteTable("feeds", {
  id: id(),
  name: text().notNull(),
  format: text({ enum: feedFormats }).notNull(),
  /** ISO 3166-1. Country whose shoppers see the products. */
  country: text().notNull(),
  /** URL of a product in the shop, with {id} or {slug} as a placeholder. */
  productUrl: text("product_url").notNull(),
  returnsUrl: text("returns_url"),
  /** SHA-256 of the key in its URL. Null until there is one. */
  keyHash: text("key_hash").unique(),
  readAt: integer("read_at"),
  createdAt: createdAt(),
  updatedAt: updatedAt(),
});
