import { Hono } from "hono";
import type { AppEnv } from "../../platform/auth/app-env.ts";
import { accountScopeOf } from "../../platform/auth/caller.ts";
import { administer } from "../../platform/auth/gates.ts";
import { list } from "../../platform/http/envelope.ts";
import { pageOf } from "../../platform/http/pagination.ts";
import { lists } from "../../platform/http/route-description.ts";
import { validate } from "../../platform/http/validate.ts";
import { AdminTransaction, listAllTransactions, TransactionsQuery, toAdminTransaction } from "./transactions.ts";

export const transactionsAdmin = new Hono<AppEnv>().get(
  "/transactions",
  administer("orders:read"),
  validate("query", TransactionsQuery),
  lists("listAllTransactions", "List all transactions", AdminTransaction),
  async (c) => {
    const query = c.req.valid("query");
    const { rows, totalItems, totalIsExact, next } = await listAllTransactions(
      c.var.db,
      query,
      accountScopeOf(c.var.caller),
    );
    const data = rows.map((row) => toAdminTransaction(row, c.var.settings.currency));
    return list(c, "Transactions", data, pageOf(query, totalItems, totalIsExact, next));
  },
);
