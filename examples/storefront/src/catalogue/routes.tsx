import { Hono } from "hono";
import type { Schema } from "storefront/client";
import type { AppEnv, ShopContext } from "../env.ts";
import { page } from "../page.tsx";
import { Filters, queryOf } from "./filters.ts";
import { kept } from "./kept.ts";
import { CataloguePage, type CategoryChoice, titleOf } from "./list-page.tsx";
import { ProductPage } from "./product-page.tsx";

/** Other products of its category that a product's page shows. */
const OTHERS = 4;

export const catalogue = new Hono<AppEnv>()
  .get("/", async (c) => {
    const filters = Filters.parse(c.req.query());
    const query = queryOf(filters);
    const [products, categories] = await Promise.all([productsOf(c, query), categoriesOf(c)]);
    const content = <CataloguePage filters={filters} products={products} categories={categories} url={c.req.url} />;
    return page(c, titleOf(filters, categories), content);
  })
  .get("/products/:id{[0-9]+}", async (c) => {
    const id = Number(c.req.param("id"));
    const { data: product } = await kept(c, `product:${id}`, () =>
      c.var.shop.GET("/api/v1/user/products/{id}", { params: { path: { id } } }),
    );
    const { category } = product;
    const near = category ? (await productsOf(c, { category: category.slug, per_page: OTHERS + 1 })).data : [];
    const others = near.filter((other) => other.id !== id).slice(0, OTHERS);
    return page(c, product.name, <ProductPage product={product} others={others} isGuest={!c.var.shopper} />);
  });

type Query = Partial<ReturnType<typeof queryOf>>;

const productsOf = (
  c: ShopContext,
  query: Query,
): Promise<{ data: Schema["Product"][]; pagination: Schema["Pagination"] }> =>
  kept(c, `products?${JSON.stringify(query)}`, () => c.var.shop.GET("/api/v1/user/products", { params: { query } }));

async function categoriesOf(c: ShopContext): Promise<CategoryChoice[]> {
  const { data } = await kept(c, "categories", () =>
    c.var.shop.GET("/api/v1/user/categories", { params: { query: { per_page: 100 } } }),
  );
  return data.filter(({ product_count }) => product_count > 0);
}
