import { Hono, type MiddlewareHandler } from "hono";
import type * as z from "zod";
import { pascalCase } from "../../platform/administration/resource.ts";
import type { ApiKeyCaller, UserCaller } from "../../platform/auth/caller.ts";
import { type AppEnv, administer, administrators } from "../../platform/auth/gates.ts";
import { streamsBytes } from "../../platform/http/route-description.ts";
import { validate, validateAll } from "../../platform/http/validate.ts";
import { invoiceArchive } from "./invoice-archive.ts";
import {
  AuditExport,
  auditSource,
  customerSource,
  FilesExport,
  FormatParam,
  fileSource,
  InvoicesExport,
  invoiceSource,
  OrdersExport,
  orderLineSource,
  orderSource,
  ProductsExport,
  productSource,
  TransactionsExport,
  transactionSource,
  UsersExport,
} from "./sources.ts";
import { answerExport, type ExportSource, exported, type Source } from "./stream.ts";

/** The route of a list as a file, for readers of the list. */
const exportOf = <Query, Reader extends ApiKeyCaller | UserCaller>(
  gate: MiddlewareHandler<AppEnv & { Variables: { caller: Reader } }>,
  name: string,
  query: z.ZodType<Query>,
  source: (reading: ExportSource, query: Query) => Source,
  summary = `Export ${name}`,
) =>
  new Hono<AppEnv>().get(
    `/exports/${name}/:format`,
    gate,
    validateAll({ param: FormatParam, query }),
    streamsBytes(`export${pascalCase(name.replace("-", " "))}`, summary),
    (c) => {
      const { format } = c.req.valid("param");
      return answerExport(c, name, format, (reading, onBroken) =>
        exported(name, format, source(reading, c.req.valid("query")), onBroken),
      );
    },
  );

const [orders, invoiceSummary] = [administer("orders:read"), "Export invoices, one row for each rate of tax"];

export const exportsAdmin = new Hono<AppEnv>()
  .route("/", exportOf(administer("products:read_all"), "products", ProductsExport, productSource))
  .route("/", exportOf(orders, "orders", OrdersExport, orderSource))
  .route("/", exportOf(orders, "order-lines", OrdersExport, orderLineSource, "Export line items of orders"))
  .route("/", exportOf(administer("users:read"), "customers", UsersExport, customerSource))
  .route("/", exportOf(orders, "transactions", TransactionsExport, transactionSource))
  .get(
    "/exports/invoices/zip",
    orders,
    validate("query", InvoicesExport),
    streamsBytes("exportInvoiceFiles", "Export the PDFs, XML files and CSV of invoices as a ZIP archive"),
    (c) => answerExport(c, "invoices", "zip", (...facts) => invoiceArchive(c.env, c.req.valid("query"), ...facts)),
  )
  .route("/", exportOf(orders, "invoices", InvoicesExport, invoiceSource, invoiceSummary))
  .route("/", exportOf(administer("files:read_all"), "files", FilesExport, fileSource, "Export the list of files"))
  .route("/", exportOf(administrators, "audit-log", AuditExport, auditSource, "Export the audit log"));
