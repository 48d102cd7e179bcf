import { listProducts } from "../catalogue/products/listing/list.ts";
import { findProductsForSale } from "../catalogue/products/products.ts";
import { inOptionOrder, type ProductWithVariants, type VariantRow } from "../catalogue/products/schemas.ts";
import { badRequest, fieldError } from "../domain/errors.ts";
import { lineOfMarkdown } from "../domain/markdown.ts";
import { toMeasures, unitPriceOf } from "../domain/unit-pricing.ts";
import { extendsWith, type Message, type UcpContext, UcpError, ucpOf, unknownResource, warning } from "./protocol.ts";
import type { GetProduct, LookupCatalog, SearchCatalog } from "./requests.ts";

// Search and lookup of products. An id of the protocol is the id of a product, or of a variant, as text.

/** Maximum number of variants of one product in a response. A product may have a thousand. */
const MOST_VARIANTS = 100;
const MOST_OF_SEARCH = 10;

/** Maximum number of ids in a lookup. */
const MOST_IDS = 50;

type Facts = Pick<UcpContext, "settings" | "origin" | "mapping" | "capabilities">;
type OptionLabel = { name: string; label: string };

export const isProductId = (text: string): boolean => /^[1-9]\d{0,14}$/.test(text);

/** URL of a product in the shop's storefront, unless the shop has none. */
function productPage({ settings }: Pick<UcpContext, "settings">, id: number, variant = id): { url?: string } {
  const { shopUrl } = settings.email;
  return shopUrl === null ? {} : { url: `${shopUrl}/products/${id}${variant === id ? "" : `?variant=${variant}`}` };
}

/** `search_catalog` */
export async function searchCatalog(ctx: UcpContext, { query, filters, context, pagination }: SearchCatalog) {
  const { currency } = ctx.settings;
  const [category, ...others] = filters?.categories ?? [];
  const isForeign = filters?.price !== undefined && context?.currency !== undefined && context.currency !== currency;
  const page = pageOfCursor(pagination?.cursor);
  const per_page = Math.min(pagination?.limit ?? 10, 50);
  const prices = isForeign ? undefined : filters?.price;
  const found = await listProducts(
    ctx.db,
    { page, per_page, search: query, category, min_price: prices?.min, max_price: prices?.max, sort: "newest" },
    false,
  );
  const rows = await findProductsForSale(
    ctx.db,
    found.rows.map(({ id }) => id),
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  const messages: Message[] = [
    ...(others.length > 0 ? [ignored("categories", `Only the category ${category} was applied`)] : []),
    ...(isForeign ? [ignored("price", `Prices are in ${currency}. The price filter was not applied`)] : []),
  ];
  const hasMore = found.totalItems > page * per_page;
  return {
    ucp: ucpOf(ctx, "catalog.search"),
    products: found.rows.flatMap(({ id }) => {
      const row = byId.get(id);
      return row && isSold(row) ? [toUcpProduct(row, ctx, variantsOf(row).slice(0, MOST_OF_SEARCH))] : [];
    }),
    pagination: {
      has_next_page: hasMore,
      ...(hasMore && { cursor: `p${page + 1}` }),
      ...(found.totalIsExact && { total_count: found.totalItems }),
    },
    ...(messages.length > 0 && { messages }),
  };
}

const ignored = (filter: string, content: string): Message =>
  warning("filter_ignored", content, { path: `$.filters.${filter}` });

function pageOfCursor(cursor: string | undefined): number {
  const [, page = ""] = /^p([1-9]\d{0,5})$/.exec(cursor ?? "p1") ?? [];
  if (page === "")
    throw badRequest(fieldError("pagination.cursor", "invalid", "is not a cursor from an earlier response"));
  return Number(page);
}

/** `lookup_catalog` */
export async function lookupCatalog(ctx: UcpContext, { ids }: LookupCatalog) {
  if (ids.length > MOST_IDS) throw new UcpError("request_too_large", `A lookup takes at most ${MOST_IDS} ids`);
  const sent = [...new Set(ids)];
  const rows = await findProductsForSale(ctx.db, sent.filter(isProductId).map(Number));
  const known = new Set<string>();
  const products = rows.filter(isSold).map((row) => {
    const variants = variantsOf(row);
    const [featured] = variants;
    const inputsOf = ({ id }: { id: string | number }) =>
      sent.flatMap((input) => {
        if (input === String(id)) return [{ id: input, match: "exact" }];
        return input === String(row.id) && String(id) === String(featured?.id)
          ? [{ id: input, match: "featured" }]
          : [];
      });
    const asked = variants.filter((variant) => inputsOf(variant).length > 0);
    for (const input of asked.flatMap(inputsOf)) known.add(input.id);
    const product = toUcpProduct(row, ctx, asked);
    return {
      ...product,
      variants: product.variants.map((variant) => ({ ...variant, inputs: inputsOf(variant) })),
    };
  });
  const messages = sent.flatMap((id): Message[] =>
    known.has(id)
      ? []
      : [{ type: "info", code: "not_found", path: `$.ids[${ids.indexOf(id)}]`, content: `${id} was not found` }],
  );
  return {
    ucp: ucpOf(ctx, "catalog.lookup"),
    products: products.filter(({ variants }) => variants.length > 0),
    ...(messages.length > 0 && { messages }),
  };
}

/** `get_product` */
export async function getProduct(ctx: UcpContext, { id, selected, preferences = [] }: GetProduct) {
  const [row] = isProductId(id) ? await findProductsForSale(ctx.db, [Number(id)]) : [];
  const variants = row ? variantsOf(row) : [];
  const named = variants.find((variant) => String(variant.id) === id);
  const isKnown = row && (id === String(row.id) || named);
  if (!isKnown || variants.length === 0) return unknownResource(ctx, `Product ${id}`);
  const wanted =
    named && row.options.length > 0 ? labelsOf(named) : selected && relaxed(selected, preferences, variants);
  const matching = wanted ? variants.filter((variant) => matches(variant, wanted)) : variants;
  const featured = named ?? matching[0] ?? variants[0];
  const effective = wanted ?? (featured ? labelsOf(featured) : []);
  const shown = [...(featured ? [featured] : []), ...matching.filter((variant) => variant !== featured)];
  return {
    ucp: ucpOf(ctx, "catalog.lookup"),
    product: {
      ...toUcpProduct(row, ctx, shown.slice(0, MOST_VARIANTS)),
      ...(row.options.length > 0 && {
        selected: effective,
        options: row.options.map(({ name, values }) => ({
          name,
          values: values.map((label) => ({ label, ...signalsOf({ name, label }, effective, variants) })),
        })),
      }),
    },
  };
}

const labelsOf = ({ optionValues }: VariantRow): OptionLabel[] =>
  optionValues.map(({ name, value }) => ({ name, label: value }));

const matches = ({ optionValues }: VariantRow, wanted: readonly OptionLabel[]): boolean =>
  wanted.every(({ name, label }) => optionValues.some((own) => own.name === name && own.value === label));

/** Drops selections, the least preferred first, until a variant has all that are left. */
function relaxed(selected: readonly OptionLabel[], preferences: readonly string[], variants: readonly VariantRow[]) {
  const rank = ({ name }: OptionLabel) => (preferences.includes(name) ? preferences.indexOf(name) : preferences.length);
  const kept = selected.map(({ name, label }) => ({ name, label })).toSorted((a, b) => rank(a) - rank(b));
  while (kept.length > 0 && !variants.some((variant) => matches(variant, kept))) kept.pop();
  return kept;
}

/** True if a variant with this value and the other selections exists and can be bought. */
function signalsOf(value: OptionLabel, effective: readonly OptionLabel[], variants: readonly VariantRow[]) {
  const wanted = [...effective.filter(({ name }) => name !== value.name), value];
  const found = variants.filter((variant) => matches(variant, wanted));
  return { available: found.some(({ inStock }) => inStock), exists: found.length > 0 };
}

/** A product with options is sold only as one of its variants. */
const isSold = (row: ProductWithVariants): boolean => row.options.length === 0 || row.variants.length > 0;

/** The variants to buy, available ones first. A product without options is its own variant. */
function variantsOf(row: ProductWithVariants): VariantRow[] {
  if (row.options.length === 0) return [{ ...row, image: row.images[0]?.url ?? null }];
  const ordered = inOptionOrder(row.options, row.variants);
  return [...ordered.filter(({ inStock }) => inStock), ...ordered.filter(({ inStock }) => !inStock)];
}

const absolute = (url: string, { origin }: Facts): string => new URL(url, origin).href;

const priceOf = (amount: number, { settings }: Facts) => ({ amount, currency: settings.currency });

const describedAs = ({ name, description }: ProductWithVariants) =>
  description === "" ? { plain: name } : { plain: lineOfMarkdown(description) || name, markdown: description };

export function toUcpProduct(row: ProductWithVariants, facts: Facts, variants: readonly VariantRow[]) {
  const category = row.categoryPath?.at(-1);
  // Rendering a long description takes milliseconds, and all variants share it.
  const description = describedAs(row);
  return {
    id: String(row.id),
    handle: row.slug,
    title: row.name,
    description,
    ...productPage(facts, row.id),
    ...(category && { categories: [{ value: category.slug, taxonomy: "merchant" }] }),
    price_range: { min: priceOf(row.price, facts), max: priceOf(row.highestVariantPrice ?? row.price, facts) },
    ...(row.images.length > 0 && {
      media: row.images.map(({ url, alt }) => ({ type: "image", url: absolute(url, facts), alt_text: alt })),
    }),
    ...(row.options.length > 0 && {
      options: row.options.map(({ name, values }) => ({ name, values: values.map((label) => ({ label })) })),
    }),
    variants: variants.map((variant) => ({ ...toUcpVariant(variant, row, facts), description })),
    tags: row.tags,
  };
}

function toUcpVariant(variant: VariantRow, row: ProductWithVariants, facts: Facts) {
  const values = labelsOf(variant);
  const { compareAtPrice, unitPricing } = variant;
  const availability = { available: variant.inStock, status: variant.inStock ? "in_stock" : "out_of_stock" };
  return {
    id: String(variant.id),
    sku: variant.sku,
    ...productPage(facts, row.id, variant.id),
    title: values.map(({ label }) => label).join(" / ") || row.name,
    price: priceOf(variant.price, facts),
    ...(compareAtPrice !== null && compareAtPrice > variant.price && { list_price: priceOf(compareAtPrice, facts) }),
    ...(unitPricing && {
      unit_price: { ...priceOf(unitPriceOf(variant.price, unitPricing), facts), ...toMeasures(unitPricing) },
    }),
    ...(variant.id === row.id && row.barcode !== null && { barcodes: [{ type: "GTIN", value: row.barcode }] }),
    availability,
    ...(row.requiresShipping && extendsWith(facts.capabilities, "fulfillment") && facts.mapping.shipping(availability)),
    ...(values.length > 0 && { options: values }),
    ...(variant.image !== null && { media: [{ type: "image", url: absolute(variant.image, facts) }] }),
  };
}
