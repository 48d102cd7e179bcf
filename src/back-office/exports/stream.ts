import { neutralized } from "../../domain/csv-cell.ts";
import { insertEntry } from "../../platform/audit/audit.ts";
import {
  type AccountScope,
  type ApiKeyCaller,
  accountScopeOf,
  authorOf,
  requireFresh,
  seesCosts,
  type UserCaller,
} from "../../platform/auth/caller.ts";
import type { Database } from "../../platform/db/client.ts";
import type { IdBounds, Which } from "../../platform/db/page.ts";
import { logFault } from "../../platform/http/log.ts";
import type { Settings } from "../../platform/settings/settings.ts";

export const exportFormats = ["csv", "ndjson"] as const;
type ExportFormat = (typeof exportFormats)[number];

/** Returns about `limit` rows, by default in the response's shape, possibly none. Null when there are no more. */
export type NextRows<Row = ShownRow> = (limit: number) => Promise<Row[] | null>;

/** An export's CSV columns and row reader. */
export type Source = { columns: readonly string[]; next: NextRows };

const types: Record<ExportFormat, string> = {
  csv: "text/csv; charset=utf-8",
  ndjson: "application/x-ndjson; charset=utf-8",
};

/** Numbers stay numbers. Values other than text become JSON. */
function cell(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  const text = neutralized(typeof value === "string" ? value : JSON.stringify(value));
  return /[",\r\n;\t]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Byte order mark that tells spreadsheets that a file is UTF-8. */
const BYTE_ORDER_MARK = "\u{FEFF}";

const line = (cells: readonly unknown[]): string => `${cells.map(cell).join(",")}\r\n`;

/** The first page is small, so that its bytes arrive soon. Later pages fill a few megabytes, up to the maximum below. */
export const FIRST_ROWS = 250;
const MOST_ROWS = 1_500;
const PAGE_LENGTH = 3_000_000;

/** Rows of the page after one of a length. */
export const limitAfter = (limit: number, length: number): number =>
  Math.max(1, Math.min(MOST_ROWS, 4 * limit, Math.floor((limit * PAGE_LENGTH) / Math.max(1, length))));

/** Yields the text of an export page by page. A page is read once the previous one was consumed. */
export async function* pagesOf(source: Source, format: ExportFormat): AsyncGenerator<string> {
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
 * Streams text or bytes of any length, read no faster than they are sent. Rejects on an error before the first byte; a later one aborts the
 * stream, so that a partial file is never taken for complete.
 */
export async function streamed(
  pages: AsyncIterator<string | Uint8Array>,
  onBroken: (error: unknown) => void,
): Promise<ReadableStream<Uint8Array>> {
  const encoder = new TextEncoder();
  let first: IteratorResult<string | Uint8Array> | null = await pages.next();
  let isGone = false;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          for (let page = first ?? (await pages.next()); !isGone; page = await pages.next()) {
            first = null;
            if (page.done) return controller.close();
            if (page.value === "") continue;
            return controller.enqueue(typeof page.value === "string" ? encoder.encode(page.value) : page.value);
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
}

/** A list of any length as a file. */
export async function exported(
  name: string,
  format: ExportFormat,
  source: Source,
  onBroken: (error: unknown) => void,
): Promise<Response> {
  return new Response(await streamed(pagesOf(source, format), onBroken), {
    headers: {
      "Content-Type": types[format],
      "Content-Disposition": `attachment; filename="${name}.${format}"`,
      "Cache-Control": "no-store",
    },
  });
}

type ExportContext = {
  req: { url: string; raw: Request };
  var: { db: Database; caller: ApiKeyCaller | UserCaller; settings: Settings; requestId: string };
};

/** The only shop. */
const SHOP = 1;

/** Lists without personal data. Exporting any other list requires the password or a code again. */
const IMPERSONAL = new Set(["products", "files"]);

/** Answers with a list as a file, after an audit log entry about who exported it. */
export async function answerExport(
  c: ExportContext,
  name: string,
  format: string,
  answer: (reading: ExportSource, onBroken: (error: unknown) => void) => Promise<Response>,
): Promise<Response> {
  const { db, caller, settings, requestId } = c.var;
  const author = authorOf(c);
  if (!IMPERSONAL.has(name)) requireFresh(author);
  const url = new URL(c.req.url);
  const filters = Object.fromEntries([...url.searchParams].filter(([filter]) => filter !== "search"));
  const after = { list: name, format, ...filters };
  await insertEntry({ db, author }, { subject: "shop", action: "export", id: SHOP, after });
  const scope = accountScopeOf(caller);
  const facts = { currency: settings.currency, origin: url.origin, seesCosts: seesCosts(caller) };
  const reading = { db, scope, isFlat: format === "csv", ...facts };
  return answer(reading, (error) => logFault("export interrupted", error, { request_id: requestId }));
}

export type { Which } from "../../platform/db/page.ts";

/** Source and scope of an export. CSV is flat. */
export type ExportSource = {
  db: Database;
  scope: AccountScope;
  isFlat: boolean;
  seesCosts: boolean;
  currency: string;
  origin: string;
};

/** A row in the shape of the response. */
export type ShownRow = Record<string, unknown>;

const FROM_BEGINNING_TO_END: IdBounds = { after: 0, last: Number.MAX_SAFE_INTEGER };

/** Reads rows in the order of ids, so that a page costs the same wherever it begins. */
export function inOrderOfIds<Row extends { id: number }, Shown = ShownRow>(
  read: (which: Which) => Promise<Row[]>,
  shown: (row: Row) => Shown[],
  afterId = 0,
  ends = () => Promise.resolve(FROM_BEGINNING_TO_END),
): NextRows<Shown> {
  let between: IdBounds | undefined;
  let isOver = false;
  return async (limit) => {
    if (isOver) return null;
    between ??= await ends();
    const rows = await read({ after: Math.max(between.after, afterId), last: between.last, limit });
    between = { ...between, after: rows.at(-1)?.id ?? between.last };
    isOver = rows.length < limit;
    return rows.flatMap(shown);
  };
}

/** Reads the rows that a search found, given only their ids. */
export function byIds<Row>(
  found: AsyncIterator<number[]>,
  read: (ids: number[]) => Promise<Row[]>,
  shown: (row: Row) => ShownRow[],
): NextRows {
  let ids: number[] = [];
  let isOver = false;
  return async (limit) => {
    while (ids.length < limit && !isOver) {
      const { done, value } = await found.next();
      if (done) isOver = true;
      else ids = [...ids, ...value];
    }
    if (ids.length === 0) return null;
    const rows = await read(ids.slice(0, limit));
    ids = ids.slice(limit);
    return rows.flatMap(shown);
  };
}

/** Ids are small, so many are read at a time. */
const IDS = 10_000;

/** Yields all ids of a search in batches. */
export async function* allIds(
  read: (after: number, limit: number) => Promise<number[]>,
  afterId = 0,
): AsyncGenerator<number[]> {
  for (let after: number | undefined = afterId; after !== undefined; ) {
    const ids = await read(after, IDS);
    yield ids;
    after = ids.length < IDS ? undefined : ids.at(-1);
  }
}
