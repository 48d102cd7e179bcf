import { files, orders, products, users } from "../../src/platform/db/schema.ts";
import { foldedWords, searchedTexts } from "../../src/platform/db/search-words.ts";
import { db } from "./shop.ts";

/** The rows whose folded words are not those of their texts, by table. */
export async function wronglyFolded(): Promise<unknown[]> {
  const stale = <Row extends { foldedWords: string | null }>(rows: Row[], textsOf: (row: Row) => string[]) =>
    rows.filter((row) => row.foldedWords !== foldedWords(textsOf(row)));
  const { foldedWords: words, ...product } = products;
  return [
    ...stale(
      await db
        .select({
          foldedWords: words,
          name: product.name,
          sku: product.sku,
          description: product.description,
          optionValues: product.optionValues,
        })
        .from(products)
        .all(),
      searchedTexts.products,
    ),
    ...stale(
      await db.select({ foldedWords: users.foldedWords, name: users.name }).from(users).all(),
      searchedTexts.users,
    ),
    ...stale(
      await db.select({ foldedWords: files.foldedWords, name: files.name, fileName: files.fileName }).from(files).all(),
      searchedTexts.files,
    ),
    ...stale(
      await db.select({ foldedWords: orders.foldedWords, customerName: orders.customerName }).from(orders).all(),
      searchedTexts.orders,
    ),
  ];
}
