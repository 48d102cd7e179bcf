import type { Page } from "../../platform/http/pagination.ts";

/** The position in a list with links to neighbouring pages; empty for an empty list. `url` is the page's own. */
export const Pagination = ({ page: { page, perPage, totalItems, totalIsExact }, url }: { page: Page; url: string }) => {
  if (totalItems === 0) return null;
  const last = Math.max(1, Math.ceil(totalItems / perPage));
  const first = (page - 1) * perPage + 1;
  const through = Math.min(page * perPage, totalItems);
  const total = totalIsExact ? totalItems : `more than ${totalItems}`;
  return (
    <nav class="pagination" aria-label="Pages">
      <span class="muted">{first > through ? `None of ${total}` : `${first}–${through} of ${total}`}</span>
      <Step url={url} to={page > 1 ? Math.min(page - 1, last) : null} rel="prev" name="Previous" />
      <Step url={url} to={page < last ? page + 1 : null} rel="next" name="Next" />
    </nav>
  );
};

const Step = ({ url, to, rel, name }: { url: string; to: number | null; rel: string; name: string }) =>
  to === null ? null : (
    <a class="button quiet" rel={rel} href={withPage(url, to)}>
      {name}
    </a>
  );

function withPage(url: string, page: number): string {
  const { pathname, searchParams } = new URL(url);
  searchParams.set("page", String(page));
  return `${pathname}?${searchParams}`;
}
