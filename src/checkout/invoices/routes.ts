import { Hono } from "hono";
import { type AppEnv, allow } from "../../platform/auth/gates.ts";
import { list } from "../../platform/http/envelope.ts";
import { lists } from "../../platform/http/route-description.ts";
import { validate } from "../../platform/http/validate.ts";
import { listMyInvoices } from "./invoices.ts";
import { Invoice, MyInvoicesQuery, toInvoice } from "./schemas.ts";

export const invoiceRoutes = new Hono<AppEnv>().get(
  "/account/invoices",
  allow("checkout:read"),
  validate("query", MyInvoicesQuery),
  lists("listMyInvoices", "List your invoices", Invoice),
  async (c) => list(c, "Invoices", await listMyInvoices(c.var.db, c.var.caller, c.req.valid("query")), toInvoice),
);
