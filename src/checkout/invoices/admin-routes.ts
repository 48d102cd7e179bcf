import { Hono } from "hono";
import * as z from "zod";
import { accountScopeOf } from "../../platform/auth/caller.ts";
import { type AppEnv, administer } from "../../platform/auth/gates.ts";
import { list, ok } from "../../platform/http/envelope.ts";
import { answers, lists } from "../../platform/http/route-description.ts";
import { validate } from "../../platform/http/validate.ts";
import { adminListInvoices, countNumbers } from "./invoices.ts";
import { Invoice, InvoiceSeries, InvoicesQuery, toInvoice } from "./schemas.ts";

export const invoicesAdmin = new Hono<AppEnv>()
  .get(
    "/invoices",
    administer("orders:read"),
    validate("query", InvoicesQuery),
    lists("adminListInvoices", "List all invoices", Invoice),
    async (c) => {
      const page = await adminListInvoices(c.var.db, c.req.valid("query"), accountScopeOf(c.var.caller));
      return list(c, "Invoices", page, toInvoice);
    },
  )
  .get(
    "/invoices/series",
    administer("orders:read"),
    answers("listInvoiceSeries", "Check invoice numbers for gaps", z.array(InvoiceSeries)),
    async (c) => {
      const years = await countNumbers(c.var.db);
      const series = years.map((year) => ({ ...year, complete: year.issued === year.last }));
      return ok(c, "Numbers of invoices", series);
    },
  );
