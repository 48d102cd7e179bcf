import { downloadInvoice } from "../checkout/invoices/file.ts";
import type { InvoiceRow } from "../checkout/invoices/public.ts";
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
import { limitAccount } from "../platform/auth/gates.ts";

// An invoice names the buyer's address, which the link of an e-mail does not show, because somebody else may read it. So
// whoever downloads an invoice has to know the postal code, or else the town. An order's attempts are counted, because few
// codes are possible.

const inputsFor = ({ label }: AddressPart) =>
  ({ known: { as: "text", label, hint: "Of the address on the invoice.", required: true } }) satisfies FormInputs;

type GuestInvoices = { invoices: readonly InvoiceRow[]; token: string; failed: Failed | null };

/** Forms that download the invoices of a guest's order. */
export const GuestInvoiceForms = ({ invoices, token, failed }: GuestInvoices) => (
  <>
    {invoices.length > 0 && <h2>Invoices</h2>}
    {invoices.map((invoice) => {
      const part = requiredPartOf(invoice);
      if (!part) return null;
      const isFailed = failed?.values.id?.[0] === String(invoice.id);
      const form = formFor(isFailed ? failed : null, "/account/order", { inputs: inputsFor(part) });
      return (
        <Form form={form}>
          <input type="hidden" name="token" value={token} />
          <input type="hidden" name="id" value={String(invoice.id)} />
          <Field form={form} name="known" />
          <Button tone="quiet">{titleOfInvoice(invoice)} (PDF)</Button>
        </Form>
      );
    })}
  </>
);

const plain = (code: string): string => code.toUpperCase().replaceAll(/[^\p{L}\d]/gu, "");

type AddressPart = { label: string; value: string };

/** Part of an invoice's address that a buyer has to know. Undefined without an address, when nobody gets the invoice here. */
function requiredPartOf({ content }: InvoiceRow): AddressPart | undefined {
  const { zip, city } = content.billingAddress ?? content.shippingAddress ?? {};
  const parts = [
    { label: "Postal code", value: plain(zip ?? "") },
    { label: "Town", value: plain(city ?? "") },
  ];
  return parts.find(({ value }) => value !== "");
}

const GuestInvoice = OrderLinkBody.extend({ id: Id, known: Text.max(100).nullish() });

/** Answers with the PDF of an invoice of the link's order. */
export async function downloadGuestInvoice(c: PageContext, sent: SentForm): Promise<Response> {
  const { id, known, token } = sent.read(GuestInvoice, { token: text, id: ([id]) => Number(id), known: optional });
  const found = await findGuestOrder(c.var, token, Date.now());
  const invoice = found?.invoices.find((each) => each.id === id);
  const part = invoice && requiredPartOf(invoice);
  if (!found || !part) throw notFound("The invoice of this link");
  await limitAccount(c, "sign-up", `invoice:${found.row.reference}`);
  if (plain(known ?? "") !== part.value) {
    const words = `is not the ${part.label.toLowerCase()} of the address on the invoice`;
    throw badRequest(fieldError("known", "invalid", words));
  }
  return downloadInvoice(c.env, invoice, "pdf");
}
