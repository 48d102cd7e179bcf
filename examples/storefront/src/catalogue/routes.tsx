import { Hono } from "hono";
import type { AppEnv, ShopContext } from "../env.ts";
import { page } from "../page.tsx";
import { Filters } from "./filters.ts";
import { kept } from "./kept.ts";
import { CataloguePage, type CategoryChoice } from "./list-page.tsx";
import { ProductPage } from "./product-page.tsx";

export const catalogue = new Hono<AppEnv>()
  .get("/", async (c) => {
    const filters = Filters.parse(c.req.query());
    const { search, category, ...rest } = filters;
    const query = {
      ...rest,
      per_page: 12,
      ...(search && { search }),
      ...(category && { category }),
    } as const;
    const [products, categories] = await Promise.all([
      kept(c, `products?${new URLSearchParams(c.req.query())}`, () =>
        c.var.shop.GET("/api/v1/user/products", { params: { query } }),
      ),
      categoriesOf(c),
    ]);
    const chosen = categories.find(({ slug }) => slug === category);
    const content = <CataloguePage filters={filters} products={products} categories={categories} url={c.req.url} />;
    return page(c, chosen?.name ?? (search ? `“${search}”` : "All products"), content);
  })
  .get("/products/:id{[0-9]+}", async (c) => {
    const id = Number(c.req.param("id"));
    const { data: product } = await kept(c, `product:${id}`, () =>
      c.var.shop.GET("/api/v1/user/products/{id}", { params: { path: { id } } }),
    );
    return page(c, product.name, <ProductPage product={product} isGuest={!c.var.shopper} />);
  });

async function categoriesOf(c: ShopContext): Promise<CategoryChoice[]> {
  const { data } = await kept(c, "categories", () =>
    c.var.shop.GET("/api/v1/user/categories", { params: { query: { per_page: 100 } } }),
  );
  return data.filter(({ product_count }) => product_count > 0);
}
