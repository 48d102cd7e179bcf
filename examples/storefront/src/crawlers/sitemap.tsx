import type { Schema } from "@storefront-worker/api/client";
import type { HtmlEscapedString } from "hono/utils/html";
import { categoriesOf, kept } from "../catalogue/kept.ts";
import type { ShopContext } from "../env.ts";

// A file of products contains those in a range of ids, which is one page of the API's list. So each file and the index
// take one request each at any size of the catalogue, and a file is unchanged while products are added elsewhere.

/** Maximum of the API. Sitemaps may have 50,000 URLs. */
const PER_FILE = 100;

const XMLNS = "http://www.sitemaps.org/schemas/sitemap/0.9";

/** The index. It may list 50,000 files, which is enough for five million products and variants. */
export async function sitemapIndex(c: ShopContext): Promise<Response> {
  const [newest, { pagination }] = await Promise.all([newestProduct(c), categoriesOf(c, 1)]);
  const files = [
    ...Array.from(
      { length: Math.max(pagination.total_pages, 1) },
      (_, index) => `/sitemap-categories.xml?page=${index + 1}`,
    ),
    ...Array.from({ length: Math.ceil((newest?.id ?? 0) / PER_FILE) }, (_, index) => productsFile(index)),
  ];
  return xml(
    c,
    <sitemapindex xmlns={XMLNS}>
      {files.map((path) => (
        <sitemap>
          <loc>{addressOf(c, path)}</loc>
        </sitemap>
      ))}
    </sitemapindex>,
  );
}

const productsFile = (index: number): string => `/sitemap-products.xml?after=${index * PER_FILE}`;

/** The front page and the categories with products. The front page keeps the file valid if there are none. */
export async function categoriesSitemap(c: ShopContext, page: number): Promise<Response> {
  const { data } = await categoriesOf(c, page);
  const shown = data.filter(({ product_count }) => product_count > 0);
  const paths = ["/", ...shown.map(({ slug }) => `/?${new URLSearchParams({ category: slug })}`)];
  return urlSet(
    c,
    paths.map((path) => ({ path })),
  );
}

/**
 * Products whose ids follow `after`. If the range contains only ids of variants, the file lists the next product,
 * because it must not be empty.
 */
export async function productsSitemap(c: ShopContext, after: number): Promise<Response | null> {
  const query = { after_id: after, per_page: PER_FILE };
  const { data } = await kept(c, `sitemap?${after}`, async () => {
    const { data, response } = await c.var.shop.GET("/api/v1/user/products", { params: { query } });
    return { data: data.map(({ id, updated_at }) => ({ id, updated_at })), response };
  });
  const [next] = data;
  if (!next) return null;
  const inRange = data.filter(({ id }) => id <= after + PER_FILE);
  const products = inRange.length > 0 ? inRange : [next];
  return urlSet(
    c,
    products.map(({ id, updated_at }) => ({ path: `/products/${id}`, changed: updated_at })),
  );
}

async function newestProduct(c: ShopContext): Promise<Pick<Schema["Product"], "id"> | undefined> {
  const query = { per_page: 1 };
  const { data } = await kept(c, "sitemap", () => c.var.shop.GET("/api/v1/user/products", { params: { query } }));
  return data[0];
}

const urlSet = (c: ShopContext, pages: { path: string; changed?: string }[]): Promise<Response> =>
  xml(
    c,
    <urlset xmlns={XMLNS}>
      {pages.map(({ path, changed }) => (
        <url>
          <loc>{addressOf(c, path)}</loc>
          {changed && <lastmod>{changed}</lastmod>}
        </url>
      ))}
    </urlset>,
  );

const addressOf = (c: ShopContext, path: string): string => new URL(path, c.req.url).href;

async function xml(c: ShopContext, document: HtmlEscapedString | Promise<HtmlEscapedString>): Promise<Response> {
  const text = `<?xml version="1.0" encoding="UTF-8"?>\n${await document.toString()}`;
  return c.body(text, 200, { "Content-Type": "application/xml; charset=utf-8" });
}
