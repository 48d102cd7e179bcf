import type { Context } from "hono";
import { requireAccount } from "../../accounts/users/admin.ts";
import { listAllOrders } from "../../checkout/orders/admin.ts";
import { accountScopeOf } from "../../platform/auth/caller.ts";
import type { PanelEnv } from "../env.ts";
import type { Failed } from "../forms/state.ts";
import { page } from "../page.tsx";
import { CustomerPage } from "./detail-page.tsx";
import { readStanding } from "./standing-queries.ts";

/** Orders shown on a customer's page. */
const NEWEST = { page: 1, per_page: 10 };

export async function customerPage(c: Context<PanelEnv>, id: number, failed: Failed | null) {
  const [account, { rows: orders }, standing] = await Promise.all([
    requireAccount(c.var.db, { id, scope: accountScopeOf(c.var.caller) }),
    listAllOrders(c.var.db, { ...NEWEST, user_id: id }, accountScopeOf(c.var.caller)),
    readStanding(c.var.db, id),
  ]);
  const isOwn = c.var.caller.kind === "user" && c.var.caller.id === id;
  const props = {
    account,
    isOwn,
    orders,
    standing,
    failed,
    currency: c.var.settings.currency,
  };
  return page(c, account.name, <CustomerPage {...props} />);
}
