import { Hono } from "hono";
import { type AppEnv, administer, administrators } from "../../platform/auth/gates.ts";
import { streamsBytes } from "../../platform/http/route-description.ts";
import { validate } from "../../platform/http/validate.ts";
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
import { answerExport } from "./stream.ts";

const format = validate("param", FormatParam);

export const exportsAdmin = new Hono<AppEnv>()
  .get(
    "/exports/products/:format",
    administer("products:read_all"),
    format,
    validate("query", ProductsExport),
    streamsBytes("exportProducts", "Export products"),
    (c) => {
      const { format } = c.req.valid("param");
      const query = c.req.valid("query");
      return answerExport(c, "products", format, (reading) => productSource(reading, query, format === "csv"));
    },
  )
  .get(
    "/exports/orders/:format",
    administer("orders:read"),
    format,
    validate("query", OrdersExport),
    streamsBytes("exportOrders", "Export orders"),
    (c) =>
      answerExport(c, "orders", c.req.valid("param").format, (reading) => orderSource(reading, c.req.valid("query"))),
  )
  .get(
    "/exports/order-lines/:format",
    administer("orders:read"),
    format,
    validate("query", OrdersExport),
    streamsBytes("exportOrderLines", "Export line items of orders"),
    (c) =>
      answerExport(c, "order-lines", c.req.valid("param").format, (reading) =>
        orderLineSource(reading, c.req.valid("query")),
      ),
  )
  .get(
    "/exports/customers/:format",
    administer("users:read"),
    format,
    validate("query", UsersExport),
    streamsBytes("exportCustomers", "Export customers"),
    (c) => {
      const { format } = c.req.valid("param");
      const query = c.req.valid("query");
      return answerExport(c, "customers", format, (reading) => customerSource(reading, query, format === "csv"));
    },
  )
  .get(
    "/exports/transactions/:format",
    administer("orders:read"),
    format,
    validate("query", TransactionsExport),
    streamsBytes("exportTransactions", "Export transactions"),
    (c) =>
      answerExport(c, "transactions", c.req.valid("param").format, (reading) =>
        transactionSource(reading, c.req.valid("query")),
      ),
  )
  .get(
    "/exports/invoices/:format",
    administer("orders:read"),
    format,
    validate("query", InvoicesExport),
    streamsBytes("exportInvoices", "Export invoices, one row for each rate of tax"),
    (c) =>
      answerExport(c, "invoices", c.req.valid("param").format, (reading) =>
        invoiceSource(reading, c.req.valid("query")),
      ),
  )
  .get(
    "/exports/files/:format",
    administer("files:read_all"),
    format,
    validate("query", FilesExport),
    streamsBytes("exportFiles", "Export the list of files"),
    (c) =>
      answerExport(c, "files", c.req.valid("param").format, (reading) => fileSource(reading, c.req.valid("query"))),
  )
  .get(
    "/exports/audit-log/:format",
    administrators,
    format,
    validate("query", AuditExport),
    streamsBytes("exportAuditLog", "Export the audit log"),
    (c) =>
      answerExport(c, "audit-log", c.req.valid("param").format, (reading) =>
        auditSource(reading, c.req.valid("query")),
      ),
  );
