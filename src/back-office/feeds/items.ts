import type { ItemForSale } from "../../catalogue/products/public.ts";
import { pathText } from "../../domain/category-path.ts";
import { lineOfMarkdown } from "../../domain/markdown.ts";
import { formatAmount } from "../../domain/money.ts";
import { type Measures, toMeasures } from "../../domain/unit-pricing.ts";
import type { FeedFormat } from "../../platform/db/schema.ts";
import type { FeedRow } from "./feeds.ts";

// The fields of the formats:
// https://support.google.com/merchants/answer/7052112
// https://developers.openai.com/commerce/specs/file-upload/products, as of November 2026: a line for each item that can be bought

/** Data shared by all items of a feed. `origin` completes the URLs of uploaded images. */
export type FeedFacts = { feed: FeedRow; shopName: string; currency: string; origin: string };

type Item = Record<string, string | number | boolean | string[] | Record<string, string> | undefined>;

/** Maximum characters in both formats. */
const [MAX_TITLE, MAX_DESCRIPTION] = [150, 5_000];

const cut = (text: string, most: number): string => text.slice(0, most).toWellFormed();

/** The page of an item. A variant keeps its own id or slug in the path, for storefronts that do not read `?variant=`. */
export function linkOf(
  { id, parentId, slug }: Pick<ItemForSale, "id" | "parentId" | "slug">,
  template: string,
): string {
  const link = new URL(template.replaceAll("{id}", String(id)).replaceAll("{slug}", encodeURIComponent(slug)));
  if (parentId !== null) link.searchParams.set("variant", String(id));
  return link.href;
}

/** Item data used by both formats. */
function factsOf(row: ItemForSale, { feed, currency, origin }: FeedFacts) {
  const values = row.optionValues.map(({ value }) => value);
  const price = (minor: number) => `${formatAmount(minor, currency)} ${currency}`;
  const isReduced = row.compareAtPrice !== null && row.compareAtPrice > row.price;
  const [image, ...images] = row.images.map(({ url }) => new URL(url, origin).href);
  return {
    id: String(row.id),
    title: cut([row.name, ...values].join(" – "), MAX_TITLE),
    description: cut(lineOfMarkdown(row.description) || row.name, MAX_DESCRIPTION),
    link: linkOf(row, feed.productUrl),
    image,
    images: images.slice(0, 10),
    price: price(isReduced ? Number(row.compareAtPrice) : row.price),
    salePrice: isReduced ? price(row.price) : undefined,
    availability: row.inStock ? "in_stock" : "out_of_stock",
    brand: row.brand ?? undefined,
    gtin: row.barcode ?? undefined,
    group: row.parentId === null ? undefined : String(row.parentId),
    category: row.categoryPath ? pathText(row.categoryPath) : undefined,
    condition: row.condition,
    weight: row.weightGrams === null ? undefined : `${row.weightGrams} g`,
  };
}

/** Options for which Google has attributes. */
const googleOptions = ["color", "size", "material", "pattern"] as const;

const attributeOf = (name: string): string => name.toLowerCase().replace("colour", "color");

const optionOf = ({ optionValues }: ItemForSale, wanted: string): string | undefined =>
  optionValues.find(({ name }) => attributeOf(name) === wanted)?.value;

const quoted = (text: string): string => (text.includes('"') ? `"${text.replaceAll('"', '""')}"` : text);

/** A part of a detail, without the characters that end parts and details. */
const detail = (text: string): string => quoted(text.replaceAll(/ *[:,] */g, " "));

/** Options without an attribute, as https://support.google.com/merchants/answer/9218260 separates and quotes their parts. */
const detailsOf = ({ optionValues }: ItemForSale): string =>
  optionValues
    .filter(({ name }) => !googleOptions.some((known) => known === attributeOf(name)))
    .map(({ name, value }) => ["Options", name, value].map(detail).join(":"))
    .join(",");

type Quantity = Measures["reference"];

const quantityText = ({ value, unit }: Quantity): string => `${value} ${unit}`;

/** Base measures that Google accepts: https://support.google.com/merchants/answer/6324490 */
const isBaseMeasure = (reference: Quantity): boolean =>
  [1, 2, 4, 8, 10, 100].includes(reference.value) ||
  ["75 cl", "750 ml", "50 kg", "1000 kg"].includes(quantityText(reference));

function unitPricingOf({ unitPricing }: ItemForSale): Item {
  if (unitPricing === null) return {};
  const { measure, reference } = toMeasures(unitPricing);
  return {
    unit_pricing_measure: quantityText(measure),
    unit_pricing_base_measure: isBaseMeasure(reference) ? quantityText(reference) : undefined,
  };
}

function toGoogleItem(row: ItemForSale, feed: FeedFacts): Item {
  const facts = factsOf(row, feed);
  return {
    id: facts.id,
    title: facts.title,
    description: facts.description,
    link: facts.link,
    image_link: facts.image,
    additional_image_link: facts.images.join(","),
    availability: facts.availability,
    price: facts.price,
    sale_price: facts.salePrice,
    brand: facts.brand,
    gtin: facts.gtin,
    mpn: row.sku,
    identifier_exists: facts.gtin !== undefined || facts.brand !== undefined ? "yes" : "no",
    condition: facts.condition,
    item_group_id: facts.group,
    product_type: facts.category,
    shipping_weight: facts.weight,
    ...unitPricingOf(row),
    product_detail: detailsOf(row),
    ...Object.fromEntries(googleOptions.map((name) => [name, optionOf(row, name)])),
  };
}

function toOpenaiItem(row: ItemForSale, feed: FeedFacts): Item {
  const facts = factsOf(row, feed);
  const { country, productUrl, returnsUrl } = feed.feed;
  return {
    is_eligible_search: true,
    // ChatGPT buys by the Agentic Commerce Protocol, which this shop does not have.
    is_eligible_checkout: false,
    item_id: facts.id,
    title: facts.title,
    description: facts.description,
    url: facts.link,
    image_url: facts.image,
    additional_image_urls: facts.images.length > 0 ? facts.images : undefined,
    price: facts.price,
    sale_price: facts.salePrice,
    availability: facts.availability,
    brand: facts.brand ?? feed.shopName,
    gtin: facts.gtin,
    mpn: row.sku,
    condition: facts.condition,
    product_category: facts.category,
    // A group is never named as its item is, and an item without variants has none.
    group_id: facts.group,
    listing_has_variations: facts.group !== undefined,
    variant_dict:
      facts.group === undefined
        ? undefined
        : Object.fromEntries(row.optionValues.map(({ name, value }) => [name, value])),
    seller_name: feed.shopName,
    seller_url: new URL(productUrl).origin,
    return_policy: returnsUrl ?? undefined,
    target_countries: [country],
    store_country: country,
    is_digital: row.requiresShipping ? undefined : true,
  };
}

/** Columns of the tab-separated format, in order. */
const googleColumns = [
  ...["id", "title", "description", "link", "image_link", "additional_image_link", "availability", "price"],
  ...["sale_price", "brand", "gtin", "mpn", "identifier_exists", "condition", "item_group_id", "product_type"],
  ...["shipping_weight", "unit_pricing_measure", "unit_pricing_base_measure", "product_detail", ...googleOptions],
];

/** A cell with characters that end cells and rows removed. */
const tabCell = (value: unknown): string => quoted(String(value ?? "").replaceAll(/[\t\r\n]+/g, " "));

/** A format's header, and its function for items. */
type FeedWriter = { head: string; item: (row: ItemForSale, facts: FeedFacts) => string };

export const feedWriters: Record<FeedFormat, FeedWriter> = {
  google: {
    head: `${googleColumns.join("\t")}\n`,
    item(row, facts) {
      const item = toGoogleItem(row, facts);
      return `${googleColumns.map((column) => tabCell(item[column])).join("\t")}\n`;
    },
  },
  openai: { head: "", item: (row, facts) => `${JSON.stringify(toOpenaiItem(row, facts))}\n` },
};
