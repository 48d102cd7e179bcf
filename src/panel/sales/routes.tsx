import { Hono } from "hono";
import { readSales } from "../../back-office/sales/report.ts";
import { SalesQuery, spanOf } from "../../back-office/sales/schemas.ts";
import { administer } from "../../platform/auth/gates.ts";
import type { PanelEnv } from "../env.ts";
import { readFilters } from "../forms/read-filters.ts";
import { page } from "../page.tsx";
import { SalesPage } from "./page.tsx";

export const sales = new Hono<PanelEnv>().get("/sales", administer("orders:read"), async (c) => {
  const now = Date.now();
  const { query, form } = readFilters(c, SalesQuery);
  const span = spanOf(query, now);
  const report = await readSales(c.var.db, span);
  return page(c, "Sales", <SalesPage {...report} form={form} currency={c.var.settings.currency} now={now} />);
});
