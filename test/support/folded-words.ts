import { files, orders, products, users } from "../../src/platform/db/schema.ts";
import { foldedWords, searchedTexts } from "../../src/platform/db/search-words.ts";
import { db } from "./shop.ts";

/** Rows whose folded words do not match their texts, by table. */
export async function wronglyFolded(): Promise<unknown[]> {
  const stale = <Row extends { foldedWords: string | null }>(rows: Row[], textsOf: (row: Row) => string[]) =>
    rows.filter((row) => row.foldedWords !== foldedWords(textsOf(row)));
  const { foldedWords: words, name, sku, description, optionValues } = products;
  const [ofProducts, ofUsers, ofFiles, ofOrders] = await db.batch([
    db.select({ foldedWords: words, name, sku, description, optionValues }).from(products),
    db.select({ foldedWords: users.foldedWords, name: users.name }).from(users),
    db.select({ foldedWords: files.foldedWords, name: files.name, fileName: files.fileName }).from(files),
    db.select({ foldedWords: orders.foldedWords, customerName: orders.customerName }).from(orders),
  ]);
  return [
    ...stale(ofProducts, searchedTexts.products),
    ...stale(ofUsers, searchedTexts.users),
    ...stale(ofFiles, searchedTexts.files),
    ...stale(ofOrders, searchedTexts.orders),
  ];
}
