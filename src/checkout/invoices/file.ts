import { create as contentDisposition } from "content-disposition";
import * as z from "zod";
import { badRequest, fieldError } from "../../domain/errors.ts";
import { IdText } from "../../domain/fields.ts";
import type { InvoiceRow } from "./document.ts";
import { invoicePdf } from "./pdf/invoice-pdf.ts";
import { invoiceUbl, profilesOf } from "./ubl.ts";

/** Names an invoice and one of its files. */
export const InvoiceFileParam = z.object({
  id: IdText,
  format: z.enum(["pdf", "xrechnung", "peppol"]).describe("`xrechnung` and `peppol` are XML of EN 16931"),
});
export type InvoiceFormat = z.output<typeof InvoiceFileParam>["format"];

const LACKING =
  "is not available: Peppol needs the VAT IDs of seller and buyer, and XML the VAT ID, tax number or registration of the seller";

/** An invoice as a PDF or as XML, which is the same each time. */
export async function invoiceFile(env: Pick<Env, "ASSETS">, invoice: InvoiceRow, format: InvoiceFormat) {
  const isPdf = format === "pdf";
  if (!isPdf && !profilesOf(invoice).includes(format))
    throw badRequest(fieldError("format", "not_applicable", LACKING));
  return {
    name: `${invoice.number.replaceAll("/", "-")}.${isPdf ? "pdf" : "xml"}`,
    type: isPdf ? "application/pdf" : "application/xml",
    input: isPdf ? await invoicePdf(env, invoice) : invoiceUbl(invoice, format),
    lastModified: new Date(invoice.issuedAt),
  };
}

export async function downloadInvoice(...file: Parameters<typeof invoiceFile>): Promise<Response> {
  const { name, type, input } = await invoiceFile(...file);
  return new Response(input, {
    headers: {
      "Content-Type": type,
      "Content-Disposition": contentDisposition(name),
      "Cache-Control": "private, no-store",
    },
  });
}
