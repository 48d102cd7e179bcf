import { invoiceFile } from "../checkout/invoices/file.ts";
import { type InvoiceRow, invoicesOfOrder } from "../checkout/invoices/public.ts";
import { titleOfInvoice } from "../checkout/invoices/words.ts";
import { findGuestOrder, OrderLinkBody } from "../checkout/orders/guest-order.ts";
import { badRequest, fieldError, notFound } from "../domain/errors.ts";
import { Id, Text } from "../domain/fields.ts";
import { type Failed, type FormInputs, formFor } from "../panel/forms/inputs.ts";
import { optional, text } from "../panel/forms/kinds.ts";
import type { SentForm } from "../panel/forms/read-form.ts";
import { Field } from "../panel/kit/fields.tsx";
import { Button, Form } from "../panel/kit/form.tsx";
import type { PageContext } from "../panel/page.tsx";

// An invoice names the buyer's address, which the link of an e-mail does not show, because somebody else may read it. So
// whoever downloads an invoice has to know the postal code.

const inputs = {
  zip: { as: "text", label: "Postal code", hint: "Of the address on the invoice.", required: true },
} satisfies FormInputs;

type GuestInvoices = { invoices: readonly InvoiceRow[]; token: string; failed: Failed | null };

/** Forms that download the invoices of a guest's order. */
export const GuestInvoiceForms = ({ invoices, token, failed }: GuestInvoices) => (
  <>
    {invoices.length > 0 && <h2>Invoices</h2>}
    {invoices.map((invoice) => {
      const isFailed = failed?.values.id?.[0] === String(invoice.id);
      const form = formFor(isFailed ? failed : null, "/account/order", { inputs });
      return (
        <Form form={form}>
          <input type="hidden" name="token" value={token} />
          <input type="hidden" name="id" value={String(invoice.id)} />
          {postalCodeOf(invoice) !== "" && <Field form={form} name="zip" />}
          <Button tone="quiet">{titleOfInvoice(invoice)} (PDF)</Button>
        </Form>
      );
    })}
  </>
);

const plain = (code: string): string => code.toUpperCase().replaceAll(/[^\p{L}\d]/gu, "");

const postalCodeOf = ({ content }: InvoiceRow): string =>
  plain((content.billingAddress ?? content.shippingAddress)?.zip ?? "");

const GuestInvoice = OrderLinkBody.extend({ id: Id, zip: Text.max(20).nullish() });

/** Answers with the PDF of an invoice of the link's order. */
export async function downloadGuestInvoice(c: PageContext, sent: SentForm): Promise<Response> {
  const { id, zip, token } = sent.read(GuestInvoice, { token: text, id: ([id]) => Number(id), zip: optional });
  const found = await findGuestOrder(c.var, token, Date.now());
  const invoices = found ? await invoicesOfOrder(c.var.db, found.row.id) : [];
  const invoice = invoices.find((each) => each.id === id);
  if (!invoice) throw notFound("The invoice of this link");
  if (plain(zip ?? "") !== postalCodeOf(invoice)) {
    throw badRequest(fieldError("zip", "invalid", "is not the postal code of the address on the invoice"));
  }
  return invoiceFile(c.env, invoice, "pdf");
}
