import { type InvoiceRow, linesOfInvoice, taxGroups } from "../../../checkout/invoices/document.ts";
import {
  columnsOfInvoice,
  factsOfInvoice,
  invoiceSums,
  notesOfInvoice,
  partiesOfInvoice,
  rowsOfInvoice,
  sellerLines,
  titleOfInvoice,
  writerOf,
} from "../../../checkout/invoices/words.ts";
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
  const { say, amount: money } = writerOf(invoice);
  const [item, ...columns] = columnsOfInvoice.map((title) => say(title));
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
          {rowsOfInvoice(invoice).map(({ name, details, cells }) => (
            <tr>
              <td>
                {name}
                <br />
                <small>{details.join(" · ")}</small>
              </td>
              {cells.map((cell) => (
                <td class="numeric">{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <table class="sums">
        <tbody>
          {invoiceSums(invoice, taxGroups(linesOfInvoice(invoice))).map(({ text, minor, whole }) => (
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
