import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { users } from "../../accounts/users/tables.ts";
import { orders } from "../../checkout/orders/tables.ts";
import { createdAt, id, updatedAt } from "../../platform/db/columns.ts";

/** The shopping agents that the shop answers: none, those of listed hosts, any that sign, or everybody. */
export const agentAccesses = ["off", "listed", "signed", "open"] as const;
export type AgentAccess = (typeof agentAccesses)[number];

/** Shopping agents that proved their identity, with their last fetched profile. */
export const agents = sqliteTable(
  "agents",
  {
    id: id(),
    profileUrl: text("profile_url").notNull().unique(),
    /** The profile's JSON as it was read; see agents/profile.ts. */
    profile: text().notNull(),
    /** The profile is fetched again from this time on. */
    expiresAt: integer("expires_at").notNull(),
    /** Time of the last fetch, which is at most an hour before the agent's last request. */
    seenAt: integer("seen_at").notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [index("agents_by_seen").on(table.seenAt)],
);

export const checkoutSessionKinds = ["cart", "checkout"] as const;
export const checkoutSessionStatuses = ["open", "canceled", "placed"] as const;

/** Carts and checkouts that agents keep for buyers. A session holds no stock. */
export const checkoutSessions = sqliteTable(
  "checkout_sessions",
  {
    id: id(),
    /** The id that the agent knows. Random, so that nobody can guess another's. */
    token: text().notNull().unique(),
    /** The reference of the order that the session becomes, so that a session becomes one order at most. */
    reference: text().notNull().unique(),
    kind: text({ enum: checkoutSessionKinds }).notNull(),
    status: text({ enum: checkoutSessionStatuses }).notNull(),
    /** Owner name of the agent that created the session. Nobody else may read it. */
    agent: text().notNull(),
    /** The account for which the agent buys. Null for a guest. */
    userId: integer("user_id").references(() => users.id, { onDelete: "cascade" }),
    /** The items, the buyer and their choices. Only the items once the order is placed, which has its own copy. */
    content: text({ mode: "json" }).$type<Record<string, unknown>>().notNull(),
    /** Total of the last response, in minor units. The order must cost the same. Null if there was no price. */
    shownTotal: integer("shown_total"),
    /** The version of the terms that the agent was last shown, if the shop asks buyers to accept them. */
    shownTerms: integer("shown_terms"),
    orderId: integer("order_id").references(() => orders.id),
    /** URL that is notified of the order's changes. Null if the agent named none. */
    webhookUrl: text("webhook_url"),
    /** `updated_at` of the order that was last passed to the deliveries to its agent. */
    toldOf: integer("told_of").notNull().default(0),
    expiresAt: integer("expires_at").notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    index("checkout_sessions_by_order").on(table.orderId),
    index("checkout_sessions_by_user").on(table.userId),
    index("checkout_sessions_by_expiry").on(table.status, table.expiresAt),
    index("checkout_sessions_by_agent").on(table.agent, table.expiresAt).where(sql.raw("webhook_url IS NOT NULL")),
    index("checkout_sessions_to_tell").on(table.expiresAt).where(sql.raw("webhook_url IS NOT NULL")),
  ],
);
