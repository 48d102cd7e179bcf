import { type InvoiceRow, linesOfInvoice, taxGroups, taxOfLine } from "../../../checkout/invoices/document.ts";
import {
  buyerFacts,
  columnsOfInvoice,
  factsOfInvoice,
  invoiceSums,
  nameOfLine,
  notesOfInvoice,
  paymentOfInvoice,
  rateOfLine,
  sellerFacts,
  titleOfInvoice,
  writerOf,
} from "../../../checkout/invoices/words.ts";
import { describeOptions } from "../../../domain/option-values.ts";
import { Lines, linesOfAddress } from "../../kit/values.tsx";
import { Party, SheetHead } from "./paper.tsx";

/** An issued invoice, which shows only what was stored with it. */
export const InvoiceSheet = ({ invoice }: { invoice: InvoiceRow }) => {
  const { content, seller } = invoice;
  const { say, language } = writerOf(invoice);
  const { billingAddress, shippingAddress, customerName, customerEmail, country } = content;
  const billed = billingAddress ?? shippingAddress;
  return (
    <section class="sheet">
      <SheetHead
        title={titleOfInvoice(invoice)}
        sender={{ name: seller.name, lines: [...senderLines(invoice), ...sellerFacts(invoice)] }}
      >
        <p>
          <Lines lines={factsOfInvoice(invoice)} />
        </p>
      </SheetHead>
      <div class="parties">
        <Party title={say("Bill to")}>
          <Lines
            lines={
              billed
                ? [...linesOfAddress(billed, country, language), ...buyerFacts(invoice, billed)]
                : [customerName ?? "", customerEmail ?? ""].filter(Boolean)
            }
          />
        </Party>
        {shippingAddress && (
          <Party title={say("Ship to")}>
            <Lines lines={linesOfAddress(shippingAddress, country, language)} />
          </Party>
        )}
        <Party title={say("Payment")}>
          <Lines lines={paymentOfInvoice(invoice)} />
        </Party>
      </div>
      <InvoiceLines invoice={invoice} />
      {notesOfInvoice(invoice, linesOfInvoice(invoice)).map((note) => (
        <p class="notes">{note}</p>
      ))}
    </section>
  );
};

const senderLines = (invoice: InvoiceRow): string[] => {
  const { seller } = invoice;
  const lines = linesOfAddress(seller.address, null, writerOf(invoice).language);
  return lines.filter((line) => line !== seller.name);
};

const InvoiceLines = ({ invoice }: { invoice: InvoiceRow }) => {
  const { content } = invoice;
  const { say, amount: money } = writerOf(invoice);
  const [item, ...columns] = columnsOfInvoice.map((title) => say(title));
  const lines = linesOfInvoice(invoice);
  return (
    <>
      <table>
        <thead>
          <tr>
            <th scope="col">{item}</th>
            {columns.map((title) => (
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
                {nameOfLine(invoice, line)}
                <br />
                <small>{[describeOptions(line.options), line.sku].filter(Boolean).join(" · ")}</small>
              </td>
              <td class="numeric">{line.quantity || ""}</td>
              <td class="numeric">{line.unitPrice === null ? "" : money(line.unitPrice)}</td>
              <td class="numeric">{rateOfLine(invoice, line)}</td>
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
