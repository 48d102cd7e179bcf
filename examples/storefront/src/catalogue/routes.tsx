import type { Schema } from "@storefront-worker/api/client";
import { Hono } from "hono";
import type { AppEnv, ShopContext } from "../env.ts";
import { page } from "../page.tsx";
import { AboutProduct } from "./about-product.tsx";
import { Filters, queryOf } from "./filters.ts";
import { categoriesOf, kept, productOf } from "./kept.ts";
import { CataloguePage, type CategoryChoice, titleOf } from "./list-page.tsx";
import { ProductPage } from "./product-page.tsx";
import { termsOf } from "./terms.ts";
import { areChosen, chosenValues, variantOf } from "./variants.ts";

/** Number of other products of its category on a product's page. */
const OTHERS = 4;

export const catalogue = new Hono<AppEnv>()
  .get("/", async (c) => {
    const filters = Filters.parse(c.req.query());
    const query = queryOf(filters);
    const [products, categories] = await Promise.all([productsOf(c, query), choicesOf(c)]);
    const content = <CataloguePage filters={filters} products={products} categories={categories} url={c.req.url} />;
    return page(c, titleOf(filters, categories), content);
  })
  .get("/products/:id{[0-9]+}", async (c) => {
    const product = await productOf(c, Number(c.req.param("id")));
    const { id, parent_id, options, category } = product;
    if (parent_id !== null) return c.redirect(`/products/${parent_id}?variant=${id}`);
    const values = chosenValues(product, c.req.query());
    const variant = variantOf(product, values);
    // The form's fields become the URL of the variant.
    if (variant && areChosen(product, c.req.query())) return c.redirect(`/products/${id}?variant=${variant.id}`);
    const shown = variant ? await productOf(c, variant.id) : product;
    const [terms, near] = await Promise.all([
      termsOf(c, shown),
      category ? productsOf(c, { category: category.slug, per_page: OTHERS + 1 }) : { data: [] },
    ]);
    const chosen = variant || options.length === 0 ? shown : undefined;
    const props = { product, values, chosen, terms, isGuest: !c.var.shopper };
    const others = near.data.filter((other) => other.id !== id).slice(0, OTHERS);
    const about = <AboutProduct product={product} url={new URL(`/products/${id}`, c.req.url).href} terms={terms} />;
    return page(c, product.seo_title, <ProductPage {...props} others={others} />, about);
  });

type Query = Partial<ReturnType<typeof queryOf>>;

const productsOf = (
  c: ShopContext,
  query: Query,
): Promise<{ data: Schema["Product"][]; pagination: Schema["Pagination"] }> =>
  kept(c, `products?${JSON.stringify(query)}`, () => c.var.shop.GET("/api/v1/user/products", { params: { query } }));

/** Categories that have products. */
async function choicesOf(c: ShopContext): Promise<CategoryChoice[]> {
  const { data } = await categoriesOf(c);
  return data.filter(({ product_count }) => product_count > 0);
}
