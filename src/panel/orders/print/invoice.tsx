import { type InvoiceRow, linesOfInvoice, taxGroups, taxOfLine } from "../../../checkout/invoices/document.ts";
import {
  columnsOfInvoice,
  factsOfInvoice,
  invoiceSums,
  nameOfLine,
  notesOfInvoice,
  partiesOfInvoice,
  rateOfLine,
  sellerLines,
  titleOfInvoice,
  writerOf,
} from "../../../checkout/invoices/words.ts";
import { describeOptions } from "../../../domain/option-values.ts";
import { Lines } from "../../kit/values.tsx";
import { Party, SheetHead } from "./paper.tsx";

/** An issued invoice, which shows only what was stored with it. */
export const InvoiceSheet = ({ invoice }: { invoice: InvoiceRow }) => {
  const { name } = invoice.seller;
  return (
    <section class="sheet">
      <SheetHead title={titleOfInvoice(invoice)} sender={{ name, lines: sellerLines(invoice) }}>
        <p>
          <Lines lines={factsOfInvoice(invoice)} />
        </p>
      </SheetHead>
      <div class="parties">
        {partiesOfInvoice(invoice).map(([title, lines]) => (
          <Party title={title}>
            <Lines lines={lines} />
          </Party>
        ))}
      </div>
      <InvoiceLines invoice={invoice} />
      {notesOfInvoice(invoice, linesOfInvoice(invoice)).map((note) => (
        <p class="notes">{note}</p>
      ))}
    </section>
  );
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
