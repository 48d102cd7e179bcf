import { type InvoiceRow, linesOfInvoice, taxGroups, taxOfLine } from "../../../checkout/invoices/document.ts";
import {
  buyerFacts,
  invoiceSums,
  notesOfInvoice,
  paymentOfInvoice,
  rateOfLine,
  sellerFacts,
  titleOfInvoice,
} from "../../../checkout/invoices/words.ts";
import { formatMoney } from "../../../domain/money.ts";
import { describeOptions } from "../../../domain/option-values.ts";
import { capitalized } from "../../../platform/administration/resource.ts";
import { formatDate } from "../../kit/dates.tsx";
import { Lines, linesOfAddress } from "../../kit/values.tsx";
import { Party, SheetHead } from "./paper.tsx";

/** An issued invoice, which shows only what was stored with it. */
export const InvoiceSheet = ({ invoice }: { invoice: InvoiceRow }) => {
  const { content, seller, corrects } = invoice;
  const { billingAddress, shippingAddress, customerName, customerEmail, country } = content;
  const billed = billingAddress ?? shippingAddress;
  return (
    <section class="sheet">
      <SheetHead
        title={titleOfInvoice(invoice)}
        sender={{ name: seller.name, lines: [...senderLines(invoice), ...sellerFacts(seller)] }}
      >
        <p>
          Issued {formatDate(invoice.issuedOn)}
          {content.deliveredOn && `, delivered ${formatDate(content.deliveredOn)}`}
          <br />
          {corrects && `Corrects invoice ${corrects.number} of ${formatDate(corrects.issuedOn)}, `}order{" "}
          {content.number}
        </p>
      </SheetHead>
      <div class="parties">
        <Party title="Bill to">
          <Lines
            lines={
              billed
                ? [...linesOfAddress(billed, country), ...buyerFacts(billed)]
                : [customerName ?? "", customerEmail ?? ""].filter(Boolean)
            }
          />
        </Party>
        {shippingAddress && (
          <Party title="Ship to">
            <Lines lines={linesOfAddress(shippingAddress, country)} />
          </Party>
        )}
        <Party title="Payment">
          <Lines lines={paymentOfInvoice(invoice, formatDate).map(capitalized)} />
        </Party>
      </div>
      <InvoiceLines invoice={invoice} />
      {notesOfInvoice(invoice, linesOfInvoice(invoice)).map((note) => (
        <p class="notes">{note}</p>
      ))}
    </section>
  );
};

const senderLines = ({ seller }: InvoiceRow): string[] =>
  linesOfAddress(seller.address).filter((line) => line !== seller.name);

const InvoiceLines = ({ invoice }: { invoice: InvoiceRow }) => {
  const { currency, content } = invoice;
  const money = (minor: number) => formatMoney(minor, currency);
  const lines = linesOfInvoice(invoice);
  return (
    <>
      <table>
        <thead>
          <tr>
            <th scope="col">Item</th>
            {["Quantity", "Price", "Tax", "Total"].map((title) => (
              <th scope="col" class="numeric">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <tr>
              <td>
                {line.name}
                <br />
                <small>{[describeOptions(line.options), line.sku].filter(Boolean).join(" · ")}</small>
              </td>
              <td class="numeric">{line.quantity || ""}</td>
              <td class="numeric">{line.unitPrice === null ? "" : money(line.unitPrice)}</td>
              <td class="numeric">{rateOfLine(line)}</td>
              <td class="numeric">{money(line.net + (content.pricesIncludeTax ? taxOfLine(line) : 0))}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <table class="sums">
        <tbody>
          {invoiceSums(invoice, taxGroups(lines)).map(({ text, minor, whole }) => (
            <tr class={whole ? "whole" : undefined}>
              <td>{text}</td>
              <td class="numeric">{money(minor)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
};
