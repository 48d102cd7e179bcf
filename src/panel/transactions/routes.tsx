import { Hono } from "hono";
import { listAllTransactions, TransactionsQuery } from "../../checkout/transactions/transactions.ts";
import { accountScopeOf } from "../../platform/auth/caller.ts";
import { administer } from "../../platform/auth/gates.ts";
import { pageOf } from "../../platform/http/pagination.ts";
import type { PanelEnv } from "../env.ts";
import { readFilters } from "../forms/read-filters.ts";
import { page } from "../page.tsx";
import { resolvingPickers, withPicks } from "../pickers/resolve.ts";
import { readNames } from "../references/names.ts";
import { TransactionsPage, transactionFilters } from "./list-page.tsx";

export const transactions = new Hono<PanelEnv>().get(
  "/transactions",
  administer("orders:read"),
  resolvingPickers(transactionFilters),
  async (c) => {
    const { query, form: typed } = readFilters(c, TransactionsQuery, transactionFilters);
    const { caller, db, settings } = c.var;
    const { rows, totalItems, totalIsExact } = await listAllTransactions(db, query, accountScopeOf(caller));
    const place = pageOf(query, totalItems, totalIsExact);
    const [names, form] = await Promise.all([
      readNames(
        db,
        rows.map(({ userId }) => `user:${userId}`),
      ),
      withPicks(c, typed),
    ]);
    const props = { rows, place, form, names, url: c.req.url, currency: settings.currency };
    return page(c, "Transactions", <TransactionsPage {...props} />);
  },
);
