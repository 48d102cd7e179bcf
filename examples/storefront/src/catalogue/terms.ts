import { type Schema, StorefrontError } from "@storefront-worker/api/client";
import type { ShopContext } from "../env.ts";
import { kept } from "./kept.ts";

type Product = Schema["ProductDetail"];

/** Delivery of one product, or one variant, within the shop's own country, and returns. */
export type Terms = {
  productId: number;
  country: string;
  returnDays: number;
  /** The cheapest delivery. Null if the shop has no shipping methods, or none for the product. */
  delivery: Schema["ShippingOption"] | null;
};

/** Null for products that are not shipped. */
export async function termsOf(c: ShopContext, { id, requires_shipping }: Product): Promise<Terms | null> {
  if (!requires_shipping) return null;
  const country = c.env.HOME_COUNTRY;
  const items = [{ product_id: id, quantity: 1 }];
  // A quote needs no more of the address than the country.
  const shipping_address = { name: "-", address: "-", city: "-", zip: "0", country };
  const quote = () => c.var.shop.POST("/api/v1/user/checkout/quote", { body: { items, shipping_address } });
  const options = await kept(c, `delivery:${id}`, quote).then(
    ({ data }) => data.shipping_options.filter(({ kind }) => kind !== "pickup"),
    (error) => {
      if (error instanceof StorefrontError && error.status === 400) return [];
      throw error;
    },
  );
  const [delivery = null] = options.toSorted((one, other) => one.price - other.price);
  return { productId: id, country, returnDays: Number(c.env.RETURN_DAYS), delivery };
}
