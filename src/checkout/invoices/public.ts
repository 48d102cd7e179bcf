export type { InvoiceRow } from "./document.ts";
export { invoiceColumns, toInvoiceCells } from "./export.ts";
export { invoiceFile } from "./file.ts";
export { idsOfInvoices, invoicesOfOrder, readSeller, walkInvoices } from "./invoices.ts";
export { type InvoiceMoment, issueInvoice } from "./issue.ts";
export { Invoice, type InvoiceFilters, invoiceFilters, toInvoice } from "./schemas.ts";
export { profilesOf } from "./ubl.ts";
