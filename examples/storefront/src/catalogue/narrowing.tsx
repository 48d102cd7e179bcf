import { type Filters, isNarrowed, listAt, sorts } from "./filters.ts";

/** The number of products, with sorting and filters. Needs no script: links, and a form in a collapsible box. */
export const Narrowing = ({ filters, total }: { filters: Filters; total: number }) => (
  <div class="narrowing">
    <p class="quiet">{total === 1 ? "1 product" : `${total.toLocaleString("en")} products`}</p>
    <details class="drop" name="narrowing">
      <summary>Filter{isNarrowed(filters) && <span class="unseen"> (in use)</span>}</summary>
      <FilterForm filters={filters} />
    </details>
    <details class="drop" name="narrowing">
      <summary>
        <span class="unseen">Sort: </span>
        {sorts[filters.sort]}
      </summary>
      <ul>
        {Object.entries(sorts).map(([sort, words]) => (
          <li>
            <a
              href={listAt(filters, { sort: sort as Filters["sort"] })}
              aria-current={sort === filters.sort ? "true" : undefined}
            >
              {words}
            </a>
          </li>
        ))}
      </ul>
    </details>
    <InUse filters={filters} />
  </div>
);

const FilterForm = ({
  filters: { search, category, tag, sort, min_price, max_price, in_stock },
}: {
  filters: Filters;
}) => (
  <form class="fields" method="get" action="/">
    {search && <input type="hidden" name="search" value={search} />}
    {category && <input type="hidden" name="category" value={category} />}
    {tag && <input type="hidden" name="tag" value={tag} />}
    {sort !== "newest" && <input type="hidden" name="sort" value={sort} />}
    <div class="span">
      <label>
        Price from
        <input type="number" name="min_price" min="1" max="10000000" value={min_price} inputmode="numeric" />
      </label>
      <label>
        to
        <input type="number" name="max_price" min="1" max="10000000" value={max_price} inputmode="numeric" />
      </label>
    </div>
    <label class="tick">
      <input type="checkbox" name="in_stock" value="true" checked={in_stock === "true"} />
      In stock only
    </label>
    <button type="submit">Show products</button>
  </form>
);

/** The filters in use, each with a link that removes it. */
const InUse = ({ filters }: { filters: Filters }) => {
  const { min_price: min, max_price: max, in_stock } = filters;
  if (!isNarrowed(filters)) return null;
  const prices = [min !== undefined && `from ${min}`, max !== undefined && `up to ${max}`].filter(Boolean).join(", ");
  return (
    <ul class="in-use">
      {prices && (
        <Used words={`Price ${prices}`} without={listAt(filters, { min_price: undefined, max_price: undefined })} />
      )}
      {in_stock && <Used words="In stock" without={listAt(filters, { in_stock: undefined })} />}
    </ul>
  );
};

const Used = ({ words, without }: { words: string; without: string }) => (
  <li>
    <a href={without}>
      <span class="unseen">Remove the filter: </span>
      {words}
    </a>
  </li>
);
