import type { Context } from "hono";
import { readStock } from "../../catalogue/products/stock.ts";
import { requireProduct } from "../../catalogue/products/write.ts";
import { readChoices } from "../choices-queries.ts";
import type { PanelEnv } from "../env.ts";
import type { Failed } from "../forms/state.ts";
import { page } from "../page.tsx";
import { NewProductPage, ProductPage } from "./edit-page.tsx";

/** How many adjustments a product's page shows. */
const ADJUSTMENTS = { page: 1, per_page: 5 };

export async function newPage(c: Context<PanelEnv>, failed: Failed | null) {
  return page(c, "New product", <NewProductPage choices={await readChoices(c.var.db)} failed={failed} />);
}

export async function editPage(c: Context<PanelEnv>, id: number, failed: Failed | null) {
  const [product, choices, stock] = await Promise.all([
    requireProduct(c.var.db, id),
    readChoices(c.var.db),
    readStock(c.var.db, id, ADJUSTMENTS),
  ]);
  const props = { product, choices, ...stock, failed };
  return page(c, product.name, <ProductPage {...props} />);
}
