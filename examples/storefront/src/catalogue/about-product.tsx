import type { Schema } from "@storefront-worker/api/client";
import { raw } from "hono/html";
import type { Terms } from "./terms.ts";

type Props = { product: Schema["ProductDetail"]; url: string; terms: Terms | null };

/** Facts about a product for search engines and link previews. */
export const AboutProduct = ({ product, url, terms }: Props) => {
  const { seo_title, seo_description, images } = product;
  return (
    <>
      <meta name="description" content={seo_description} />
      <link rel="canonical" href={url} />
      <meta property="og:type" content="product" />
      <meta property="og:title" content={seo_title} />
      <meta property="og:description" content={seo_description} />
      <meta property="og:url" content={url} />
      {images[0] && <meta property="og:image" content={images[0].url} />}
      {/* Data and no script, which the Content-Security-Policy therefore lets through. */}
      <script type="application/ld+json">{raw(inScript(factsOf(product, url, terms)))}</script>
      {product.category && <script type="application/ld+json">{raw(inScript(trailOf(product, url)))}</script>}
    </>
  );
};

/** JSON that cannot close the element around it. */
const inScript = (facts: object): string => JSON.stringify(facts).replaceAll("<", "\\u003c");

type SoldProduct = Pick<
  Props["product"]["variants"][number],
  "id" | "sku" | "price" | "unit_pricing" | "in_stock" | "condition"
>;

const conditions: Record<SoldProduct["condition"], string> = {
  new: "NewCondition",
  refurbished: "RefurbishedCondition",
  used: "UsedCondition",
};

const days = (min: number, max: number) => ({
  "@type": "QuantitativeValue",
  minValue: min,
  maxValue: max,
  unitCode: "DAY",
});

/** A unit price as https://support.google.com/merchants/answer/6324455 describes it. */
function unitPriceOf({ price, unit_pricing }: SoldProduct, priceCurrency: string) {
  if (!unit_pricing) return {};
  const { measure, reference } = unit_pricing;
  const quantity = ({ value, unit }: typeof measure) => ({ "@type": "QuantitativeValue", value, unitText: unit });
  const referenceQuantity = { ...quantity(measure), valueReference: quantity(reference) };
  return { priceSpecification: { "@type": "UnitPriceSpecification", price, priceCurrency, referenceQuantity } };
}

/** Delivery as https://developers.google.com/search/docs/appearance/structured-data/merchant-listing describes it. */
function shippingOf({ country, delivery }: Terms, currency: string) {
  if (delivery === null) return {};
  const [min, max] = [delivery.min_days ?? delivery.max_days, delivery.max_days ?? delivery.min_days];
  // The days of a method count from the order, so they include the handling.
  const deliveryTime = min !== null &&
    max !== null && { "@type": "ShippingDeliveryTime", handlingTime: days(0, 0), transitTime: days(min, max) };
  return {
    shippingDetails: {
      "@type": "OfferShippingDetails",
      shippingRate: { "@type": "MonetaryAmount", value: delivery.price, currency },
      shippingDestination: { "@type": "DefinedRegion", addressCountry: country },
      ...(deliveryTime && { deliveryTime }),
    },
  };
}

/** Returns as https://developers.google.com/search/docs/appearance/structured-data/return-policy describes them. */
const returnsOf = ({ country, returnDays }: Terms) => ({
  hasMerchantReturnPolicy: {
    "@type": "MerchantReturnPolicy",
    applicableCountry: country,
    returnPolicyCategory: "https://schema.org/MerchantReturnFiniteReturnWindow",
    merchantReturnDays: returnDays,
    returnMethod: "https://schema.org/ReturnByMail",
    returnFees: "https://schema.org/ReturnFeesCustomerResponsibility",
  },
});

/**
 * A product as https://schema.org/Product describes it, or with variants as a group of products:
 * https://developers.google.com/search/docs/appearance/structured-data/product-variants
 */
export function factsOf(product: Props["product"], url: string, terms: Terms | null) {
  const { id, name, seo_description, sku, barcode, brand, images, currency, variants } = product;
  const offer = (sold: SoldProduct, at: string) => ({
    "@type": "Offer",
    sku: sold.sku,
    price: sold.price,
    priceCurrency: currency,
    ...unitPriceOf(sold, currency),
    availability: `https://schema.org/${sold.in_stock ? "InStock" : "OutOfStock"}`,
    itemCondition: `https://schema.org/${conditions[sold.condition]}`,
    url: at,
    ...(terms?.productId === sold.id && shippingOf(terms, currency)),
    ...(terms && returnsOf(terms)),
  });
  const facts = {
    "@context": "https://schema.org",
    name,
    description: seo_description,
    ...(brand && { brand: { "@type": "Brand", name: brand } }),
    image: images.map((image) => image.url),
  };
  if (variants.length === 0)
    return { ...facts, "@type": "Product", sku, ...(barcode && { gtin: barcode }), offers: offer(product, url) };
  const hasVariant = variants.map((variant) => ({
    "@type": "Product",
    name: [name, ...variant.option_values.map(({ value }) => value)].join(" – "),
    sku: variant.sku,
    image: variant.image ?? images[0]?.url,
    offers: offer(variant, `${url}?variant=${variant.id}`),
  }));
  return { ...facts, "@type": "ProductGroup", productGroupID: String(id), url, hasVariant };
}

/** The path from the shop to a product through its categories, as https://schema.org/BreadcrumbList describes it. */
export function trailOf({ name, category }: Pick<Props["product"], "name" | "category">, url: string) {
  const steps = [
    ...(category?.path ?? []).map((step) => ({
      name: step.name,
      item: new URL(`/?category=${encodeURIComponent(step.slug)}`, url).href,
    })),
    { name, item: url },
  ];
  return {
    "@context": "https://schema.org",
    "@type": "BreadcrumbList",
    itemListElement: steps.map((step, at) => ({ "@type": "ListItem", position: at + 1, ...step })),
  };
}
