import { Hono } from "hono";
import { accountScopeOf } from "../../platform/auth/caller.ts";
import { type AppEnv, administer } from "../../platform/auth/gates.ts";
import { list } from "../../platform/http/envelope.ts";
import { lists } from "../../platform/http/route-description.ts";
import { validate } from "../../platform/http/validate.ts";
import { AdminTransaction, adminListTransactions, TransactionsQuery, toAdminTransaction } from "./transactions.ts";

export const transactionsAdmin = new Hono<AppEnv>().get(
  "/transactions",
  administer("orders:read"),
  validate("query", TransactionsQuery),
  lists("adminListTransactions", "List all transactions", AdminTransaction, {
    description:
      "Lists payments, refunds and wallet movements. Orders that still have to be paid are in `adminListOrders`.",
  }),
  async (c) => {
    const page = await adminListTransactions(c.var.db, c.req.valid("query"), accountScopeOf(c.var.caller));
    return list(c, "Transactions", page, (row) => toAdminTransaction(row, c.var.settings.currency));
  },
);
