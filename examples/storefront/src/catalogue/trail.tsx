import type { Schema } from "@storefront-worker/api/client";

type Step = Pick<Schema["ShopCategory"]["path"][number], "slug" | "name">;

/** Links from the whole catalogue down to a category. */
export const Trail = ({ path }: { path: readonly Step[] }) => (
  <nav class="trail" aria-label="Breadcrumb">
    <a href="/">All products</a>
    {path.map(({ slug, name }) => (
      <a href={`/?category=${encodeURIComponent(slug)}`}>{name}</a>
    ))}
  </nav>
);
