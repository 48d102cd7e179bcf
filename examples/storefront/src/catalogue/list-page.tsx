import type { Schema } from "storefront/client";
import { Money } from "../parts/money.tsx";
import { Pager } from "../parts/pager.tsx";
import { Picture } from "../parts/picture.tsx";
import { type Filters, sorts } from "./filters.ts";

export type CategoryChoice = Pick<Schema["Category"], "slug" | "name">;

type Props = {
  filters: Filters;
  products: { data: Schema["Product"][]; pagination: Schema["Pagination"] };
  categories: CategoryChoice[];
  url: string;
};

export const CataloguePage = ({ filters, products: { data, pagination }, categories, url }: Props) => (
  <>
    <h1>{categories.find(({ slug }) => slug === filters.category)?.name ?? "All products"}</h1>
    <search>
      <Narrow filters={filters} categories={categories} />
    </search>
    {data.length === 0 ? (
      <p class="panel">
        No products match. <a href="/">See all products</a>
      </p>
    ) : (
      <ul class="shelf">
        {data.map((product) => (
          <Card product={product} />
        ))}
      </ul>
    )}
    <Pager pagination={pagination} url={url} />
  </>
);

const Narrow = ({ filters: { search, category, sort }, categories }: Pick<Props, "filters" | "categories">) => (
  <form class="narrow-by" method="get" action="/">
    <label>
      Search
      <input type="search" name="search" value={search} maxlength={200} />
    </label>
    <label>
      Category
      <select name="category">
        <option value="">All</option>
        {categories.map(({ slug, name }) => (
          <option value={slug} selected={slug === category}>
            {name}
          </option>
        ))}
      </select>
    </label>
    <label>
      Sort by
      <select name="sort">
        {Object.entries(sorts).map(([value, words]) => (
          <option value={value} selected={value === sort}>
            {words}
          </option>
        ))}
      </select>
    </label>
    <button class="soft" type="submit">
      Show
    </button>
  </form>
);

const Card = ({
  product: { id, name, images, category, price, currency, in_stock },
}: {
  product: Schema["Product"];
}) => (
  <li class="card">
    <a href={`/products/${id}`}>
      <Picture image={images[0] && { ...images[0], alt: "" }} sizes="20rem" width={400} height={300} lazy />
      <strong>{name}</strong>
    </a>
    <span class="quiet">{category?.name}</span>
    <span class="price">
      <Money amount={price} currency={currency} />
      {!in_stock && <span class="status out">Sold out</span>}
    </span>
  </li>
);
