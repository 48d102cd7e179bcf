import { Hono } from "hono";
import { seesCosts } from "../../platform/auth/caller.ts";
import { type AppEnv, administer } from "../../platform/auth/gates.ts";
import { readTimeZone } from "../../platform/db/time-zone.ts";
import { ok } from "../../platform/http/envelope.ts";
import { answers } from "../../platform/http/route-description.ts";
import { validate } from "../../platform/http/validate.ts";
import { readSales } from "./report.ts";
import { comparedSpan, SalesQuery, SalesReport, salesSpan, toSalesReport } from "./schemas.ts";

export const salesAdmin = new Hono<AppEnv>().get(
  "/reports/sales",
  administer("orders:read"),
  validate("query", SalesQuery),
  answers("getSalesReport", "Get a sales report", SalesReport),
  async (c) => {
    await readTimeZone(c.var.db);
    const query = c.req.valid("query");
    const span = salesSpan(query, Date.now());
    const report = await readSales(c.var.db, span, comparedSpan(span, query));
    return ok(c, "Sales", toSalesReport(report, c.var.settings.currency, { seesCosts: seesCosts(c.var.caller) }));
  },
);
