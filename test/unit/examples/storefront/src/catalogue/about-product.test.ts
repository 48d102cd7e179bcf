import type { Schema } from "@storefront-worker/api/client";
import { expect, it } from "vitest";
import { factsOf, trailOf } from "../../../../../../examples/storefront/src/catalogue/about-product.tsx";

const product = {
  id: 1,
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
  condition: "used",
  variants: [
    {
      id: 2,
      sku: "LAMP-S",
      price: 20,
      in_stock: false,
      condition: "new",
      option_values: [{ name: "Size", value: "S" }],
    },
    {
      id: 3,
      sku: "LAMP-L",
      price: 25,
      in_stock: true,
      condition: "refurbished",
      option_values: [{ name: "Size", value: "L" }],
    },
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
  const delivery = { id: 1, name: "Post", kind: "flat_rate", price: 4.9, min_days: 2, max_days: 4 } as const;
  const terms = { productId: 3, country: "DE", returnDays: 14, delivery };
  const [small, large] = [`${URL_OF_PRODUCT}?variant=2`, `${URL_OF_PRODUCT}?variant=3`];
  expect(factsOf(product, URL_OF_PRODUCT, terms)).toMatchObject({
    "@type": "ProductGroup",
    productGroupID: "1",
    hasVariant: [
      { name: "Desk lamp – S", offers: { price: 20, availability: "https://schema.org/OutOfStock", url: small } },
      { name: "Desk lamp – L", offers: { price: 25, availability: "https://schema.org/InStock", url: large } },
    ],
  });
  const { hasVariant: variants } = { hasVariant: undefined, ...factsOf(product, URL_OF_PRODUCT, terms) };
  const itemCondition = (name: string) => ({ offers: { itemCondition: `https://schema.org/${name}Condition` } });
  expect(variants).toMatchObject([itemCondition("New"), itemCondition("Refurbished")]);
  // The delivery of the shown variant is not that of others.
  expect(variants).not.toMatchObject([{ offers: { shippingDetails: {} } }, {}]);
  expect(variants).toMatchObject([
    {},
    {
      offers: {
        shippingDetails: {
          shippingRate: { value: 4.9, currency: "EUR" },
          shippingDestination: { addressCountry: "DE" },
          deliveryTime: { handlingTime: { maxValue: 0 }, transitTime: { minValue: 2, maxValue: 4, unitCode: "DAY" } },
        },
        hasMerchantReturnPolicy: { applicableCountry: "DE", merchantReturnDays: 14 },
      },
    },
  ]);
  const single = { ...product, variants: [] };
  expect(factsOf(single, URL_OF_PRODUCT, null)).toMatchObject({
    "@type": "Product",
    offers: { price: 20, url: URL_OF_PRODUCT, itemCondition: "https://schema.org/UsedCondition" },
  });
});

it("gives search engines the path of categories", () => {
  expect(trailOf(product, URL_OF_PRODUCT).itemListElement).toMatchObject([
    { position: 1, name: "Light", item: "https://lamps.example/?category=light" },
    { position: 2, name: "Lamps", item: "https://lamps.example/?category=lamps" },
    { position: 3, name: "Desk lamp", item: URL_OF_PRODUCT },
  ]);
});

it("tells search engines the content of a product and the reference of its unit price", () => {
  const measures = { measure: { value: 250, unit: "g" }, reference: { value: 1, unit: "kg" } } as const;
  const soap = { ...product, variants: [], unit_pricing: { price: 80, ...measures } };
  expect(factsOf(soap, URL_OF_PRODUCT, null)).toMatchObject({
    offers: {
      price: 20,
      priceSpecification: {
        "@type": "UnitPriceSpecification",
        price: 20,
        priceCurrency: "EUR",
        referenceQuantity: { value: 250, unitText: "g", valueReference: { value: 1, unitText: "kg" } },
      },
    },
  });
});
