import type { Schema } from "@storefront-worker/api/client";
import { Pager } from "../parts/pager.tsx";
import { Card } from "./card.tsx";
import { type Filters, isNarrowed, listAt } from "./filters.ts";
import { Narrowing } from "./narrowing.tsx";
import { Trail } from "./trail.tsx";

export type CategoryChoice = Pick<Schema["ShopCategory"], "slug" | "name" | "path">;

/** Number of cards visible without scrolling. */
const AT_ONCE = 4;

type Props = {
  filters: Filters;
  products: { data: Schema["Product"][]; pagination: Schema["Pagination"] };
  categories: CategoryChoice[];
  url: string;
};

export const CataloguePage = ({ filters, products: { data, pagination }, categories, url }: Props) => (
  <>
    <Trail path={chosenIn(filters, categories)?.path.slice(0, -1) ?? []} />
    <h1 dir="auto">{titleOf(filters, categories)}</h1>
    {(data.length > 0 || filters.category) && (
      <nav class="chips" aria-label="Categories">
        {choicesIn(filters, categories).map(({ name, slug }) => (
          <Chip name={name} slug={slug} filters={filters} />
        ))}
      </nav>
    )}
    {(data.length > 0 || isNarrowed(filters)) && <Narrowing filters={filters} total={pagination.total_items} />}
    {data.length === 0 ? (
      <NothingFound filters={filters} categories={categories} />
    ) : (
      <ul class="shelf">
        {data.map((product, index) => (
          <Card product={product} withCategory={!filters.category} isLazy={index >= AT_ONCE} />
        ))}
      </ul>
    )}
    <Pager pagination={pagination} url={url} />
  </>
);

const chosenIn = ({ category }: Filters, categories: CategoryChoice[]): CategoryChoice | undefined =>
  categories.find(({ slug }) => slug === category);

/** The top-level categories, or the chosen one with its children. */
function choicesIn(filters: Filters, categories: CategoryChoice[]): Pick<CategoryChoice, "name" | "slug">[] {
  const chosen = chosenIn(filters, categories);
  const level = chosen?.path.length ?? 0;
  const below = categories.filter(
    ({ path }) => path.length === level + 1 && (!chosen || path.some(({ slug }) => slug === chosen.slug)),
  );
  return [{ name: chosen ? `All ${chosen.name}` : "All", slug: filters.category }, ...below];
}

export function titleOf({ search, category, tag }: Filters, categories: CategoryChoice[]): string {
  const name = categories.find(({ slug }) => slug === category)?.name;
  if (tag && !search) return name ? `${tag} in ${name}` : tag;
  if (search) return `“${search}”${name ? ` in ${name}` : ""}`;
  return name ?? "All products";
}

const Chip = ({ name, slug, filters }: Pick<CategoryChoice, "name" | "slug"> & { filters: Filters }) => (
  <a href={listAt(filters, { category: slug })} aria-current={slug === filters.category ? "page" : undefined}>
    {name}
  </a>
);

const NothingFound = ({ filters, categories }: Pick<Props, "filters" | "categories">) => (
  <section class="panel empty">
    <h2>No products match</h2>
    <p>
      {filters.search && "Check the spelling, or try fewer words. "}
      {filters.category && (
        <>
          <a href={listAt(filters, { category: "" })}>Look in all categories</a>.{" "}
        </>
      )}
      {isNarrowed(filters) && (
        <>
          <a href={listAt(filters, { min_price: undefined, max_price: undefined, in_stock: undefined })}>
            Remove the filters
          </a>
          .
        </>
      )}
    </p>
    <p>Or look around in a category:</p>
    <nav class="chips" aria-label="All categories">
      {categories
        .filter(({ path }) => path.length === 1)
        .map(({ name, slug }) => (
          <a href={`/?category=${encodeURIComponent(slug)}`}>{name}</a>
        ))}
    </nav>
    <p>
      <a class="button soft" href="/">
        See all products
      </a>
    </p>
  </section>
);
