import type { Schema } from "storefront/client";
import { expect, it } from "vitest";
import { factsOf, trailOf } from "../../../../../../examples/storefront/src/catalogue/about-product.tsx";

const product = {
  name: "Desk lamp",
  seo_description: "A warm light.",
  sku: "LAMP",
  barcode: null,
  brand: "Luna",
  images: [],
  price: 20,
  price_range: { min: 20, max: 25 },
  currency: "EUR",
  in_stock: true,
  variants: [
    { id: 2, sku: "LAMP-S", price: 20, in_stock: false },
    { id: 3, sku: "LAMP-L", price: 25, in_stock: true },
  ],
  category: {
    path: [
      { id: 1, name: "Light", slug: "light" },
      { id: 2, name: "Lamps", slug: "lamps" },
    ],
  },
} as unknown as Schema["ProductDetail"];

const URL_OF_PRODUCT = "https://lamps.example/products/1";

it("tells search engines the price and stock of each variant, at the variant's own address", () => {
  expect(factsOf(product, URL_OF_PRODUCT).offers).toMatchObject({
    ...{ lowPrice: 20, highPrice: 25, offerCount: 2 },
    offers: [
      { sku: "LAMP-S", price: 20, availability: "https://schema.org/OutOfStock", url: `${URL_OF_PRODUCT}?variant=2` },
      { sku: "LAMP-L", price: 25, availability: "https://schema.org/InStock", url: `${URL_OF_PRODUCT}?variant=3` },
    ],
  });
  const single = { ...product, variants: [] };
  expect(factsOf(single, URL_OF_PRODUCT).offers).toMatchObject({ "@type": "Offer", price: 20, url: URL_OF_PRODUCT });
});

it("gives search engines the path of categories", () => {
  expect(trailOf(product, URL_OF_PRODUCT).itemListElement).toMatchObject([
    { position: 1, name: "Light", item: "https://lamps.example/?category=light" },
    { position: 2, name: "Lamps", item: "https://lamps.example/?category=lamps" },
    { position: 3, name: "Desk lamp", item: URL_OF_PRODUCT },
  ]);
});
