import type { Schema } from "@storefront-worker/api/client";
import { Hono } from "hono";
import { productOf } from "../catalogue/kept.ts";
import { chosenValues, fieldOf, variantOf } from "../catalogue/variants.ts";
import type { AppEnv, ShopContext } from "../env.ts";
import { page } from "../page.tsx";
import { fieldsOf } from "../parts/form.ts";
import { unlessRefused } from "../parts/unless-refused.ts";
import { tell, tellRefusal } from "../told.ts";
import { findCart, myCart, rememberCart } from "./my-cart.ts";
import { CartPage } from "./page.tsx";

type Item = Schema["Cart"]["items"][number];

export const cart = new Hono<AppEnv>()
  .get("/cart", async (c) => page(c, "Cart", <CartPage cart={await findCart(c)} />))
  .post("/cart", async (c) => {
    const fields = await fieldsOf(c);
    const { api, header } = myCart(c);
    const path = pathOf(fields);
    return unlessRefused(c, path, async () => {
      const product_id = await boughtIn(c, fields);
      if (product_id === undefined) return tellRefusal(c, "This combination is not available.", path);
      const body = { product_id, quantity: Number(fields.quantity) };
      const { data } = await api.POST("/api/v1/user/cart", { params: { header }, body });
      rememberCart(c, data);
      const item = data.items.find((one) => one.product_id === body.product_id);
      return tell(c, `Added to your cart.${item && isAll(item) ? ` ${stockOf(item)}` : ""}`, "/cart");
    });
  })
  .post("/cart/items/:id{[0-9]+}", async (c) => {
    const { quantity, step = "0", remove } = await fieldsOf(c);
    const { api, header } = myCart(c);
    const params = { header, path: { id: Number(c.req.param("id")) } };
    return unlessRefused(c, "/cart", async () => {
      if (remove !== undefined) {
        await api.DELETE("/api/v1/user/cart/items/{id}", { params });
        return tell(c, "Removed from your cart.", "/cart");
      }
      const body = { quantity: Math.max(1, Number(quantity) + Number(step)) };
      const { data } = await api.PUT("/api/v1/user/cart/items/{id}", { params, body });
      const item = data.items.find(({ id }) => id === params.path.id);
      if (item && item.quantity < body.quantity) return tellRefusal(c, stockOf(item), "/cart");
      return tell(c, "Your cart was updated.", "/cart");
    });
  });

/** The form's page, with the chosen options. */
function pathOf(fields: Record<string, string>): string {
  const chosen = new URLSearchParams(Object.entries(fields).filter(([name]) => name.startsWith("option-")));
  return `/products/${Number(fields.product_id)}${chosen.size > 0 ? `?${chosen}` : ""}`;
}

/**
 * The id of the product in the form, or of its variant with the chosen values. Undefined if there is no such variant.
 */
async function boughtIn(c: ShopContext, fields: Record<string, string>): Promise<number | undefined> {
  const id = Number(fields.product_id);
  if (fields[fieldOf(0)] === undefined) return id;
  const product = await productOf(c, id);
  return variantOf(product, chosenValues(product, fields))?.id;
}

/** True if the cart contains the whole stock, so that the API adds no more. */
const isAll = ({ quantity, available_quantity }: Item): boolean =>
  available_quantity !== null && quantity >= available_quantity;

const stockOf = ({ name, quantity }: Item): string => `Your cart holds all ${quantity} of ${name} that are in stock.`;
