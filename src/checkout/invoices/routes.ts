import { Hono } from "hono";
import { requireFound } from "../../domain/errors.ts";
import { type AppEnv, allow } from "../../platform/auth/gates.ts";
import { list } from "../../platform/http/envelope.ts";
import { lists, streamsBytes } from "../../platform/http/route-description.ts";
import { validate } from "../../platform/http/validate.ts";
import { downloadInvoice, InvoiceFileParam } from "./file.ts";
import { findMyInvoice, listMyInvoices } from "./invoices.ts";
import { Invoice, MyInvoicesQuery, toInvoice } from "./schemas.ts";

export const invoiceRoutes = new Hono<AppEnv>()
  .get(
    "/account/invoices",
    allow("checkout:read"),
    validate("query", MyInvoicesQuery),
    lists("listMyInvoices", "List your invoices", Invoice),
    async (c) => list(c, "Invoices", await listMyInvoices(c.var.db, c.var.caller, c.req.valid("query")), toInvoice),
  )
  .get(
    "/account/invoices/:id/:format",
    allow("checkout:read"),
    validate("param", InvoiceFileParam),
    streamsBytes("downloadMyInvoice", "Download an invoice"),
    async (c) => {
      const { id, format } = c.req.valid("param");
      const invoice = await requireFound(findMyInvoice(c.var.db, c.var.caller, id), `Invoice ${id}`);
      return downloadInvoice(c.env, invoice, format);
    },
  );
