import { Hono } from "hono";
import type { AppEnv } from "../auth/app-env.ts";
import { administer } from "../auth/gates.ts";
import { ok } from "../http/envelope.ts";
import { answers } from "../http/route-description.ts";
import { validate } from "../http/validate.ts";
import { readSales } from "./report-queries.ts";
import { SalesQuery, SalesReport, spanOf, toSalesReport } from "./schemas.ts";

export const salesAdmin = new Hono<AppEnv>().get(
  "/reports/sales",
  administer("orders:read"),
  validate("query", SalesQuery),
  answers("getSalesReport", "Get the sales of some days", SalesReport),
  async (c) => {
    const report = await readSales(c.var.db, spanOf(c.req.valid("query"), Date.now()));
    return ok(c, "Sales", toSalesReport(report, c.var.settings.currency));
  },
);
