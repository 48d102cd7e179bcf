import { Hono } from "hono";
import { accountScopeOf } from "../account-scope.ts";
import { administer } from "../auth/gates.ts";
import type { AppEnv } from "../env.ts";
import { list } from "../http/envelope.ts";
import { pageOf } from "../http/pagination.ts";
import { lists } from "../http/route-description.ts";
import { validate } from "../http/validate.ts";
import { AdminTransaction, toAdminTransaction } from "../transaction.ts";
import { listAllTransactions } from "./queries.ts";
import { TransactionsQuery } from "./schemas.ts";

export const transactionsAdmin = new Hono<AppEnv>().get(
  "/transactions",
  administer("orders:read"),
  validate("query", TransactionsQuery),
  lists("List all transactions", AdminTransaction),
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
