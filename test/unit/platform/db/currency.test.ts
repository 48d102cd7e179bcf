import { getTableColumns, getTableName, is } from "drizzle-orm";
import { SQLiteTable } from "drizzle-orm/sqlite-core";
import { expect, it } from "vitest";
import { readGuards } from "../../../../scripts/database/guards.ts";
import { isLasting, storedAmounts } from "../../../../src/platform/db/currency.ts";
import * as schema from "../../../../src/platform/db/schema.ts";

/** Columns with amounts in the currency's minor units, by the records whose existence keeps the currency. */
const amounts: Record<string, Record<string, string>> = {
  orders: {
    discount_redemptions: "amount",
    invoices: "total tax content corrects",
    order_history: "amount shipping tax",
    order_items: "unit_price list_price total discount tax cost tax_lines",
    orders: `subtotal discount_total shipping_total shipping_discount shipping_tax tax_total total refunded_total
      refunded_shipping refunded_tax received_by_hand tax_lines discounts shipping_method`,
    refunds: "amount",
    sales: `goods returned_goods shipping returned_shipping tax returned_tax discounts costed_goods uncosted_goods cost`,
    test_payments: "amount",
    users: "spent",
  },
  payments: { transactions: "amount balance_after", users: "wallet_balance" },
  "gift cards": { gift_cards: "value balance" },
  products: {
    cart_items: "seen_price",
    category_products: "price",
    price_history: "price",
    products: "price compare_at_price prior_price cost highest_variant_price",
    withdrawn_products: "price",
  },
  discounts: { discounts: "amount minimum_subtotal" },
  "shipping methods": { shipping_methods: "price brackets free_from" },
  "draft orders": { draft_orders: "content given_away" },
  "checkouts of shopping assistants": { checkout_sessions: "content shown_total" },
};

/** Columns with amounts that may outlive a change of the currency, with the reason. */
const exempt: Record<string, string> = {
  "audit_log.before": "amounts are written with decimals, as they were",
  "audit_log.after": "amounts are written with decimals, as they were",
  "emails.params": "amounts in e-mails are those of orders, payments and gift cards",
  "events.data": "an event repeats what happened",
  "imports.samples": "amounts are texts of the file",
  "job_changes.before": "only products, orders and customers that exist are changed back",
  "jobs.parameters": "only products that exist get another price",
  "saved_views.filters": "amounts are written as they were typed",
  "staff_spending.amount": "counts what was given away, for a day",
  "staff_spending.day_limit": "counts what was given away, for a day",
  "staff_spending.session_limit": "counts what was given away, for a day",
};

/** Names of columns without amounts: ids, times, counts, sizes, percentages and texts. */
const OTHERS = new RegExp(
  `^(id|at|.*_(id|ids|at|until|of|by|bytes|count|days|grams|limit|version|after|offset|percent|start|for|ms|threshold)|
  |percent|rate|version|sequence|priority|quantity|.*_quantity|units|.*_units|attempts|failures|uses|max_uses.*|orders|.*_orders
  |width|height|delta|number|line|day|holds|start|starts|changed_row|standing|sent|written_off|intact|damaged|items|customers
  |activations|downloads_used|unpaid_from|refunded(_before)?|to_create|to_update|unchanged|skipped|left_out|last_step|clear_since
  |requests|redirects|refused|client_errors|server_errors|duration|to_\\d+|over_5000|orders_waiting|units_(held|unverified)|percent_held
  |current_period_end|shown_terms|accepted_terms|bytes|bytes_left
  |permissions|allowed_addresses|allowed_origins|scopes|redirect_uris|path|columns|encoding_examples|column_fields|ambiguous_columns
  |seller|option_values|options|license|metadata|tags|vat_check|shipping_address|billing_address|address|methods|unit_pricing
  |variant_unit_pricing|images|inherits|withdrawal|places|logo|agent_hosts|facts|types)$`.replaceAll(/\s*\n\s*/g, ""),
);

/** Counts with the names of amounts elsewhere. */
const counts = ["jobs.total", "jobs.done", "jobs.failed", "jobs.warnings", "unpaid_limits.orders_waiting"];

const columns = Object.values(schema)
  .filter((table) => is(table, SQLiteTable))
  .flatMap((table) =>
    Object.values(getTableColumns(table))
      .filter(({ columnType }) => ["SQLiteInteger", "SQLiteReal", "SQLiteTextJson"].includes(columnType))
      .map(({ name }) => `${getTableName(table)}.${name}`),
  );

const known = Object.values(amounts).flatMap((tables) =>
  Object.entries(tables).flatMap(([table, names]) => names.split(/\s+/).map((name) => `${table}.${name}`)),
);

it("stays while any column has an amount: each is known, and kept by records that the guard looks for", () => {
  const unknown = columns.filter(
    (column) =>
      !known.includes(column) &&
      !(column in exempt) &&
      !counts.includes(column) &&
      !OTHERS.test(column.split(".")[1] ?? ""),
  );
  expect(unknown, "add each to `amounts` with what keeps it, or to the columns without amounts").toEqual([]);
  expect([...known, ...Object.keys(exempt)].filter((column) => !columns.includes(column))).toEqual([]);
  expect(Object.keys(amounts).sort()).toEqual(Object.keys(storedAmounts).sort());
});

it("is final with rows that nothing deletes", () => {
  const guards = readGuards().map(({ name }) => name);
  const lasting = Object.entries(storedAmounts).filter(([name]) => isLasting(name));
  expect(lasting.map(([, rows]) => rows.replace("SELECT 1 FROM ", ""))).toEqual([
    "orders",
    "transactions",
    "gift_cards",
  ]);
  for (const [, rows] of lasting) expect(guards).toContain(`${rows.replace("SELECT 1 FROM ", "")}_no_delete`);
});
