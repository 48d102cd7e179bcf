import { Hono } from "hono";
import { allow } from "../auth/gates.ts";
import type { AppEnv } from "../env.ts";
import { list } from "../http/envelope.ts";
import { PageQuery, pageOf } from "../http/pagination.ts";
import { lists } from "../http/route-description.ts";
import { validate } from "../http/validate.ts";
import { Transaction, toTransaction } from "../transaction.ts";
import { listTransactions } from "./queries.ts";

export const transactions = new Hono<AppEnv>().get(
  "/account/transactions",
  allow("checkout:read"),
  validate("query", PageQuery),
  lists("List your transactions", Transaction),
  async (c) => {
    const query = c.req.valid("query");
    const { rows, totalItems } = await listTransactions(c.var.db, c.var.caller, query);
    return list(
      c,
      "Transactions",
      rows.map((row) => toTransaction(row, c.var.settings.currency)),
      pageOf(query, totalItems),
    );
  },
);
