import * as z from "zod";
import { IdText } from "../../domain/fields.ts";
import type { InvoiceRow } from "./document.ts";
import { invoicePdf } from "./pdf/invoice-pdf.ts";
import { invoiceUbl } from "./ubl.ts";

/** Names an invoice and one of its files. */
export const InvoiceFileParam = z.object({
  id: IdText,
  format: z.enum(["pdf", "xrechnung", "peppol"]).describe("`xrechnung` and `peppol` are XML of EN 16931"),
});
export type InvoiceFormat = z.output<typeof InvoiceFileParam>["format"];

/** An invoice as a PDF or as XML, which is the same at each download. */
export async function invoiceFile(
  env: Pick<Env, "ASSETS">,
  invoice: InvoiceRow,
  format: InvoiceFormat,
): Promise<Response> {
  const isPdf = format === "pdf";
  const body = isPdf ? await invoicePdf(env, invoice) : new TextEncoder().encode(invoiceUbl(invoice, format));
  return new Response(body, {
    headers: {
      "Content-Type": isPdf ? "application/pdf" : "application/xml",
      "Content-Disposition": `attachment; filename="${invoice.number.replaceAll("/", "-")}.${isPdf ? "pdf" : "xml"}"`,
      "Cache-Control": "private, no-store",
    },
  });
}
