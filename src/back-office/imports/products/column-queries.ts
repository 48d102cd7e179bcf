import { getTableColumns, type SQL, sql } from "drizzle-orm";
import { type ProductState, productFields } from "../../../catalogue/products/public.ts";
import { products } from "../../../platform/db/schema.ts";
import { foldedWords, searchedTexts } from "../../../platform/db/search-words.ts";

const columns = getTableColumns(products);

/** The editable columns of a product. */
const written = Object.values(productFields).flatMap(({ column }) =>
  column === "fileIds" ? [] : [{ column: columns[column], key: column }],
);

export const writtenNames: string[] = [...written.map(({ column }) => column.name), columns.foldedWords.name];

/** Returns a product's columns, as statements take them from JSON. */
export const columnsOf = (state: ProductState): Record<string, unknown> => ({
  ...Object.fromEntries(written.map(({ column, key }) => [column.name, column.mapToDriverValue(state[key])])),
  [columns.foldedWords.name]: foldedWords(searchedTexts.products(state)),
});

/** The value of a column in a row of `json_each`. */
export const valueIn = (name: string): SQL => sql.raw(`each.value ->> '$.${name}'`);
