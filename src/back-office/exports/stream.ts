import { neutralized } from "../../domain/csv-cell.ts";

export const exportFormats = ["csv", "ndjson"] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** Rows of an answer's shape, about as many as are asked for, of which none may be left; null when there are no more. */
export type NextRows = (limit: number) => Promise<Record<string, unknown>[] | null>;

/** What a list is exported as: its columns in CSV, and what reads its rows. */
export type Source = { columns: readonly string[]; next: NextRows };

const types: Record<ExportFormat, string> = {
  csv: "text/csv; charset=utf-8",
  ndjson: "application/x-ndjson; charset=utf-8",
};

/** Numbers stay numbers; what is no text is JSON. */
function cell(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  const text = neutralized(typeof value === "string" ? value : JSON.stringify(value));
  return /[",\r\n;\t]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** By which spreadsheets know that a file is UTF-8. */
const BYTE_ORDER_MARK = "\u{FEFF}";

const line = (cells: readonly unknown[]): string => `${cells.map(cell).join(",")}\r\n`;

/** The first page is small, so that its bytes come soon; the others are as many rows as fill some megabytes, at most these. */
const FIRST_ROWS = 250;
const MOST_ROWS = 1_500;
const PAGE_LENGTH = 3_000_000;

const limitAfter = (limit: number, length: number): number =>
  Math.max(1, Math.min(MOST_ROWS, 4 * limit, Math.floor((limit * PAGE_LENGTH) / Math.max(1, length))));

/** The text of an export, page by page: one is read when the one before it was taken. */
async function* pagesOf(source: Source, format: ExportFormat): AsyncGenerator<string> {
  const { columns, next } = source;
  const written = (row: Record<string, unknown>) =>
    format === "csv" ? line(columns.map((column) => row[column])) : `${JSON.stringify(row)}\n`;
  let limit = FIRST_ROWS;
  let rows = await next(limit);
  if (format === "csv") yield BYTE_ORDER_MARK + line(columns);
  while (rows !== null) {
    const page = rows.map(written).join("");
    yield page;
    limit = limitAfter(limit, page.length);
    rows = await next(limit);
  }
}

/**
 * A list as a file, however long, which is read while it is sent and no faster. What goes wrong before its first byte is
 * answered as an error; later it breaks the body off, so that no reader takes a part for the whole.
 */
export async function exported(
  name: string,
  format: ExportFormat,
  source: Source,
  onBroken: (error: unknown) => void,
): Promise<Response> {
  const encoder = new TextEncoder();
  const pages = pagesOf(source, format);
  let first: IteratorResult<string> | null = await pages.next();
  let isGone = false;
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          for (let page = first ?? (await pages.next()); !isGone; page = await pages.next()) {
            first = null;
            if (page.done) return controller.close();
            if (page.value !== "") return controller.enqueue(encoder.encode(page.value));
          }
        } catch (error) {
          onBroken(error);
          throw error;
        }
      },
      cancel() {
        isGone = true;
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(body, {
    headers: {
      "Content-Type": types[format],
      "Content-Disposition": `attachment; filename="${name}.${format}"`,
      "Cache-Control": "no-store",
    },
  });
}
