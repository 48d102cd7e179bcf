import { coded, documented, Moment, wholeNumber } from "../../domain/fields.ts";
import type { PageQuery } from "./pagination.ts";

// Cursor pagination for programs that read a list while it changes: pages shift, cursors do not.

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
