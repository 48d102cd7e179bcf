import { Hono } from "hono";
import { requireFound } from "../../domain/errors.ts";
import { accountScopeOf } from "../../platform/auth/caller.ts";
import { type AppEnv, administer } from "../../platform/auth/gates.ts";
import { list } from "../../platform/http/envelope.ts";
import { PageQuery, pageOfAll } from "../../platform/http/pagination.ts";
import { lists, streamsBytes } from "../../platform/http/route-description.ts";
import { validate } from "../../platform/http/validate.ts";
import { downloadInvoice, InvoiceFileParam } from "./file.ts";
import { adminListInvoices, countNumbers, findInvoice } from "./invoices.ts";
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
    validate("query", PageQuery),
    lists("listInvoiceSeries", "Check invoice numbers for gaps", InvoiceSeries),
    async (c) => {
      const page = pageOfAll(c.req.valid("query"), await countNumbers(c.var.db));
      return list(c, "Numbers of invoices", page, (year) => ({ ...year, complete: year.issued === year.last }));
    },
  )
  .get(
    "/invoices/:id/:format",
    administer("orders:read"),
    validate("param", InvoiceFileParam),
    streamsBytes("adminDownloadInvoice", "Download any invoice"),
    async (c) => {
      const { id, format } = c.req.valid("param");
      const invoice = await requireFound(findInvoice(c.var.db, id, accountScopeOf(c.var.caller)), `Invoice ${id}`);
      return downloadInvoice(c.env, invoice, format);
    },
  );
