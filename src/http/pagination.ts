import * as z from "zod";
import { documented, wholeNumber } from "./fields.ts";

const MAX_PER_PAGE = 100;

/** Query parameters of every list; spread it into the list's own. */
export const pageFields = {
  page: wholeNumber(1, Number.MAX_SAFE_INTEGER / MAX_PER_PAGE)
    .default(1)
    .meta(documented({ default: 1 }))
    .describe("From 1 on"),
  per_page: wholeNumber(1, MAX_PER_PAGE)
    .default(20)
    .meta(documented({ default: 20 }))
    .describe("Rows of a page"),
};

export const PageQuery = z.strictObject(pageFields);
export type PageQuery = z.output<typeof PageQuery>;

/** Which page was asked for, and how many items there are in all, or at least when that is not exact. */
export type Page = { page: number; perPage: number; totalItems: number; totalIsExact: boolean };

export const pageOf = ({ page, per_page }: PageQuery, totalItems: number, totalIsExact = true): Page => ({
  page,
  perPage: per_page,
  totalItems,
  totalIsExact,
});

/** What a query needs to read that page. */
export const slice = ({ page, per_page }: PageQuery) => ({ limit: per_page, offset: (page - 1) * per_page });

/** RFC 8288, with the other query parameters kept. */
export function linkHeader(url: string, page: number, totalPages: number): string {
  const last = Math.max(1, totalPages);
  const pages = { first: 1, prev: page > 1 && Math.min(page - 1, last), next: page < last && page + 1, last };
  return Object.entries(pages)
    .filter(([, target]) => target !== false)
    .map(([rel, target]) => `<${withPage(url, String(target))}>; rel="${rel}"`)
    .join(", ");
}

function withPage(url: string, page: string): string {
  const target = new URL(url);
  target.searchParams.set("page", page);
  return target.href;
}
