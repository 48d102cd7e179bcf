import * as z from "zod";
import { coded, documented, Moment, Text, wholeNumber } from "../../domain/fields.ts";

export const MAX_PER_PAGE = 100;

/** Query parameters of every list, to be spread into the list's own. */
export const pageFields = {
  page: wholeNumber(1, Math.floor(Number.MAX_SAFE_INTEGER / MAX_PER_PAGE))
    .default(1)
    .meta(documented({ default: 1 }))
    .describe("Page number, starting at 1"),
  per_page: wholeNumber(1, MAX_PER_PAGE)
    .default(20)
    .meta(documented({ default: 20 }))
    .describe("Number of rows per page"),
};

export const PageQuery = z.strictObject(pageFields);
export type PageQuery = z.output<typeof PageQuery>;

/** The requested page and the total, which is a lower bound if it is not exact. */
export type Page = {
  page: number;
  perPage: number;
  totalItems: number;
  totalIsExact: boolean;
  /** For a list read by cursor: query parameters of the next rows. Null if there are none yet. */
  next?: Record<string, string> | null | undefined;
  /** Query parameters of the end of a list that is read by cursor, where only later rows follow. */
  last?: Record<string, string>;
};

export const pageOf = (
  { page, per_page }: PageQuery,
  totalItems: number,
  totalIsExact = true,
  next?: Page["next"],
): Page => ({ page, perPage: per_page, totalItems, totalIsExact, next });

/** Limit and offset of a page. */
export const limitAndOffset = ({ page, per_page }: PageQuery) => ({ limit: per_page, offset: (page - 1) * per_page });

/** A page of a short list that was read whole. */
export function pageOfAll<Row>(query: PageQuery, all: Row[]): Page & { rows: Row[] } {
  const { limit, offset } = limitAndOffset(query);
  return { rows: all.slice(offset, offset + limit), ...pageOf(query, all.length) };
}

/** A Link header (RFC 8288) that keeps the other query parameters. */
export const linkHeader = (url: string, page: Page): string =>
  Object.entries(page.next === undefined ? pagesAround(page) : cursorsAround(page))
    .map(([rel, parameters]) => `<${withParameters(url, parameters)}>; rel="${rel}"`)
    .join(", ");

const cursorsAround = ({ next, last }: Page): Record<string, Record<string, string>> => ({
  self: {},
  ...(next && { next }),
  ...(last && { last }),
});

function pagesAround({ page, perPage, totalItems }: Page): Record<string, Record<string, string>> {
  const last = Math.max(1, Math.ceil(totalItems / perPage));
  const at = (place: number) => ({ page: String(place) });
  return {
    first: at(1),
    ...(page > 1 && { prev: at(Math.min(page - 1, last)) }),
    ...(page < last && { next: at(page + 1) }),
    last: at(last),
  };
}

function withParameters(url: string, parameters: Record<string, string>): string {
  const target = new URL(url);
  for (const [name, value] of Object.entries(parameters)) target.searchParams.set(name, value);
  return target.href;
}

/** Parameters of the position in a list, as opposed to its filters. */
export const placeParameters: readonly string[] = ["page", "per_page", "after_id", "updated_since"];

/** A list's filters as query parameters. */
export const ListFilters = z
  .record(Text.max(40), Text.max(254))
  .refine((filters) => !placeParameters.some((name) => name in filters), {
    error: `cannot be combined with ${placeParameters.join(", ")}`,
    ...coded("not_applicable"),
  });

// Cursor pagination for programs that read a list while it changes: rows move between pages, but cursors stay valid.

const Cursor = wholeNumber(0, Number.MAX_SAFE_INTEGER).optional();

/** Query parameter of a list with a cursor of ids only. */
export const afterIdField = {
  after_id: Cursor.describe("Returns rows with a greater id, sorted by id. The response has no total"),
};

/** Query parameters of a list with cursors of ids and changes, to be spread into the list's own. */
export const cursorFields = {
  updated_since: Moment.optional()
    .meta(documented({ type: "string", format: "date-time" }))
    .describe("Returns rows changed at or after this time, sorted by time of change"),
  after_id: Cursor.describe(
    "Returns rows with a greater id, sorted by id. With `updated_since`, continues after the row that has this id and this time of change",
  ),
};

export type CursorQuery = { updated_since?: number | undefined; after_id?: number | undefined };

/** True if the list is read by cursor rather than by page. */
export const hasCursor = ({ updated_since, after_id }: CursorQuery): boolean =>
  (updated_since ?? after_id) !== undefined;

const pathOfPage: PropertyKey[] = ["page"];

/** Arguments of `refine` that refuse `page` together with a cursor. */
export const withoutPages = [
  (query: CursorQuery & PageQuery) => !hasCursor(query) || query.page === 1,
  {
    path: pathOfPage,
    error: 'cannot be combined with updated_since or after_id. Follow the link with rel="next"',
    ...coded("not_applicable"),
  },
] as const;
