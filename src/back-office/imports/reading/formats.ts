import type { ImportFormat, ImportResource } from "../../../platform/db/schema.ts";
import { shopifyNames, shopifyNumbers, shopifyPrices } from "../shopify/names.ts";
import { shopifyRecords } from "../shopify/records.ts";
import { namesIn } from "../third-party/columns.ts";
import { ATTRIBUTE, wooNames, wooNumbers, wooPrices } from "../woocommerce/names.ts";
import { wooRecords } from "../woocommerce/records.ts";
import type { Mapping } from "./csv-rows.ts";
import { fieldOf, isNumeric, isPrice, ownRecords } from "./own-csv.ts";
import { UnreadableFile } from "./record.ts";

type CsvFormat = {
  format: ImportFormat;
  knows: (column: string) => boolean;
  /** Columns that identify rows: the file needs all of one list. */
  identifiers: readonly (readonly string[])[];
  isNumeric: (column: string) => boolean;
  isPrice: (column: string) => boolean;
  mapping: Mapping;
};

const own = (resource: ImportResource, identifier: string): CsvFormat => ({
  format: "csv",
  knows: (column) => fieldOf(resource, column) !== undefined,
  identifiers: [[identifier]],
  isNumeric: (column) => isNumeric(resource, column),
  isPrice: (column) => isPrice(resource, column),
  mapping: ownRecords(resource),
});

const wooColumns = namesIn(wooNames);
const wooNumeric = namesIn(wooNumbers);
const wooPriceNames = namesIn(wooPrices);
const shopifyColumns = namesIn(shopifyNames);
const shopifyNumeric = namesIn(shopifyNumbers);
const shopifyPriceNames = namesIn(shopifyPrices);

/** The formats of CSV that each resource has. */
const csvFormats: Record<ImportResource, readonly CsvFormat[]> = {
  products: [
    own("products", "sku"),
    {
      format: "woocommerce",
      knows: (column) => wooColumns.has(column) || ATTRIBUTE.test(column),
      identifiers: [["sku"], ["id", "regular price"]],
      isNumeric: (column) => wooNumeric.has(column),
      isPrice: (column) => wooPriceNames.has(column),
      mapping: wooRecords,
    },
    {
      format: "shopify",
      knows: (column) => shopifyColumns.has(column),
      identifiers: [["sku"], ["variant sku"], ["handle"], ["url handle"]],
      isNumeric: (column) => shopifyNumeric.has(column),
      isPrice: (column) => shopifyPriceNames.has(column),
      mapping: shopifyRecords,
    },
  ],
  customers: [own("customers", "email")],
};

const MOST_NAMES = 300;

/** Returns the format that knows most of a file's columns. The first wins a tie. */
export function recognize(header: string[], resource: ImportResource): CsvFormat {
  const names = header.map((name) => name.toLowerCase());
  const [best] = csvFormats[resource]
    .filter(({ identifiers }) => identifiers.some((each) => each.every((name) => names.includes(name))))
    .map((format) => ({ format, score: names.filter((name) => format.knows(name)).length }))
    .toSorted((a, b) => b.score - a.score);
  if (best) return best.format;
  const identifiers = resource === "products" ? "SKU, ID (WooCommerce) or Handle (Shopify)" : "email";
  throw new UnreadableFile({
    line: 1,
    code: "invalid_format",
    message: `No column identifies the ${resource}. The first line needs ${identifiers}, but has ${header.join(", ").slice(0, MOST_NAMES)}`,
  });
}
