import { makeZip } from "client-zip";
import {
  type InvoiceFilters,
  idsOfInvoices,
  invoiceColumns,
  invoiceFile,
  profilesOf,
  toInvoiceCells,
  walkInvoices,
} from "../../checkout/invoices/public.ts";
import type { ExportCursor } from "./sources.ts";
import { type ExportSource, inOrderOfIds, pagesOf, type ShownRow, streamed } from "./stream.ts";

/** Invoices read at a time. Each has its lines, and those of the invoice that it corrects. */
const AT_ONCE = 50;

type InvoicesQuery = InvoiceFilters & ExportCursor;

/**
 * A ZIP archive of invoices for an accountant, written while it is sent. An invoice takes about 2 ms of CPU and 46 KB, so that
 * the 30 seconds of CPU of a request suffice for 10,000 invoices.
 */
export async function invoiceArchive(
  env: Pick<Env, "ASSETS">,
  query: InvoicesQuery,
  reading: ExportSource,
  onBroken: (error: unknown) => void,
): Promise<Response> {
  const zip = makeZip(filesOf(env, query, reading));
  return new Response(await streamed(zip[Symbol.asyncIterator](), onBroken), {
    headers: {
      "Content-Type": "application/zip",
      "Content-Disposition": `attachment; filename="invoices.zip"`,
      "Cache-Control": "no-store",
    },
  });
}

/** The PDF of each invoice and its XML, unless the shop lacks the identifiers for it, and then the CSV of all. */
async function* filesOf(env: Pick<Env, "ASSETS">, query: InvoicesQuery, { db, scope }: ExportSource) {
  const cells: ShownRow[] = [];
  const next = inOrderOfIds(
    (which) => walkInvoices(db, query, scope, which),
    (row) => [row],
    query.after_id,
    () => idsOfInvoices(db, query),
  );
  for (let rows = await next(AT_ONCE); rows !== null; rows = await next(AT_ONCE)) {
    for (const row of rows) {
      cells.push(...toInvoiceCells(row));
      for (const format of ["pdf", ...profilesOf(row).slice(0, 1)] as const) yield invoiceFile(env, row, format);
    }
  }
  const pages = [cells];
  const csv = { columns: invoiceColumns, next: async () => pages.shift() ?? null };
  yield { name: "invoices.csv", input: pagesOf(csv, "csv") };
}
