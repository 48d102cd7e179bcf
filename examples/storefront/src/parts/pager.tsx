import type { Schema } from "@storefront-worker/api/client";

/** Links to the previous and next page of a list. `url` is the current page's. */
export const Pager = ({ pagination, url }: { pagination: Schema["Pagination"]; url: string }) => {
  const { current_page: page, total_pages: last } = pagination;
  if (last <= 1) return null;
  return (
    <nav class="pager" aria-label="Pages">
      {page > 1 && (
        <a class="button soft" rel="prev" href={withPage(url, Math.min(page - 1, last))}>
          Previous
        </a>
      )}
      <span class="quiet">
        Page {page} of {last}
      </span>
      {page < last && (
        <a class="button soft" rel="next" href={withPage(url, page + 1)}>
          Next
        </a>
      )}
    </nav>
  );
};

function withPage(url: string, page: number): string {
  const { pathname, searchParams } = new URL(url);
  searchParams.set("page", String(page));
  return `${pathname}?${searchParams}`;
}
