import type { Context } from "hono";
import { accountScopeOf } from "../../auth/account-scope.ts";
import { listAllOrders } from "../../orders/admin-queries.ts";
import { listAllTransactions } from "../../transactions/queries.ts";
import { requireAccount } from "../../users/write.ts";
import type { PanelEnv } from "../env.ts";
import type { Failed } from "../forms/state.ts";
import { page } from "../page.tsx";
import { CustomerPage } from "./detail-page.tsx";

/** How many orders and transactions a customer's page shows. */
const NEWEST = { page: 1, per_page: 10 };

export async function customerPage(c: Context<PanelEnv>, id: number, failed: Failed | null) {
  const [account, { rows: orders }, { rows: transactions }] = await Promise.all([
    requireAccount(c.var.db, { id, scope: accountScopeOf(c.var.caller) }),
    listAllOrders(c.var.db, { ...NEWEST, user_id: id }, accountScopeOf(c.var.caller)),
    listAllTransactions(c.var.db, { ...NEWEST, user_id: id }, accountScopeOf(c.var.caller)),
  ]);
  const isOwn = c.var.caller.kind === "user" && c.var.caller.id === id;
  const props = {
    account,
    isOwn,
    orders,
    transactions,
    failed,
    currency: c.var.settings.currency,
  };
  return page(c, account.name, <CustomerPage {...props} />);
}
