import { Hono } from "hono";
import { type AppEnv, allow } from "../../platform/auth/gates.ts";
import { list } from "../../platform/http/envelope.ts";
import { PageQuery } from "../../platform/http/pagination.ts";
import { lists } from "../../platform/http/route-description.ts";
import { validate } from "../../platform/http/validate.ts";
import { listTransactions, Transaction, toTransaction } from "./transactions.ts";

export const transactionRoutes = new Hono<AppEnv>().get(
  "/account/transactions",
  allow("checkout:read"),
  validate("query", PageQuery),
  lists("listMyTransactions", "List your transactions", Transaction, {
    description: "Charges, refunds and credits of the wallet and of orders, newest first. Debits are negative.",
  }),
  async (c) => {
    const page = await listTransactions(c.var.db, c.var.caller, c.req.valid("query"));
    return list(c, "Transactions", page, (row) => toTransaction(row, c.var.settings.currency));
  },
);
