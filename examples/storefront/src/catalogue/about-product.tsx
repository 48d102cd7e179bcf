import { raw } from "hono/html";
import type { Schema } from "storefront/client";

type Props = { product: Schema["ProductDetail"]; url: string };

/** Facts about a product for search engines and link previews. */
export const AboutProduct = ({ product, url }: Props) => {
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
      <script type="application/ld+json">{raw(inScript(factsOf(product, url)))}</script>
    </>
  );
};

/** JSON that cannot end the element around it. */
const inScript = (facts: object): string => JSON.stringify(facts).replaceAll("<", "\\u003c");

/** A product as https://schema.org/Product describes it. */
function factsOf(product: Props["product"], url: string) {
  const { name, seo_description, sku, barcode, brand, images, price_range, currency, in_stock } = product;
  const offer = {
    priceCurrency: currency,
    availability: `https://schema.org/${in_stock ? "InStock" : "OutOfStock"}`,
    url,
  };
  return {
    "@context": "https://schema.org",
    "@type": "Product",
    name,
    description: seo_description,
    sku,
    ...(barcode && { gtin: barcode }),
    ...(brand && { brand: { "@type": "Brand", name: brand } }),
    image: images.map((image) => image.url),
    offers:
      price_range.min === price_range.max
        ? { "@type": "Offer", price: price_range.min, ...offer }
        : { "@type": "AggregateOffer", lowPrice: price_range.min, highPrice: price_range.max, ...offer },
  };
}
