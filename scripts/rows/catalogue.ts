import { ProductsQuery } from "../../src/catalogue/products/listing/query.ts";
import { timePage } from "../bench/in-sqlite.ts";
import { API, bearer, get, inTurn, send } from "../bench/requests.ts";
import { openShop } from "../bench/shop.ts";
import type { Cost } from "../bench/workers/telling.ts";
import { openDatabase } from "../database/local.ts";

const filters = [
  "",
  "category=paper",
  // Half of the products, in four categories two levels below.
  "category=studio",
  "category=studio&status=active&type=digital&in_stock=true",
  "category=studio&min_price=100&max_price=200",
  "status=active",
  "status=draft",
  "type=service",
  "in_stock=true",
  "in_stock=false",
  "type=service&in_stock=false",
  "category=paper&status=active&type=digital&in_stock=true",
  "min_price=100&max_price=200",
  "min_price=120&max_price=129.99",
  "min_price=123.45&max_price=123.99",
  "category=paper&status=active&min_price=100&max_price=200",
];
const searches = [
  "search=workshop",
  "search=velvet",
  "search=velvet+satch",
  "search=SKU-0000777",
  // A word in every product, which is the most expensive search.
  `search=${Array(99).fill("a").join("+")}`,
  "search=a+sku+00",
  "search=a+clear+instructions+in+four+languages+and+number",
  "search=a&min_price=1.11&max_price=8888888.88",
  "search=sku&category=paper&status=active&in_stock=true",
  "search=sku&category=studio",
  // Read from the search index, like the searches.
  "tag=gift",
  "tag=gift,sale",
  "brand=north+%26+sons",
  "tag=handmade&category=studio&status=active",
];
/** True for lists that are read from the search index. */
const isFound = (query: string): boolean => /\b(?!category|status)\w+=/.test(query);

const sorts = ["newest", "price", "-price", "name"];

const PER_PAGE = 20;

/**
 * Prints the rows that D1 reads and bills for the first, middle and last page of lists, and the time in SQLite. Fails if
 * a search reads more rows than allowed.
 */
export async function readCatalogue(products: number, variants: number): Promise<void> {
  const { kept, server, callers } = await openShop(["shop", "shop-counted"], ".bench/rows", { products, variants });
  const key = inTurn(await callers.newKeys(10, "premium"));
  let sent = 0;

  /** Rows read for a page that is not cached, and the numbers of products and pages in the list. */
  async function ask(query: string): Promise<{ rows: number; items: number; pages: number }> {
    const answer = await send(
      server.urlOf("shop-counted"),
      get(`${API}/products?${query}&per_page=${PER_PAGE}`, bearer(key(sent++))),
    );
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${query}: ${text}`);
    const { pagination } = JSON.parse(text);
    const { rowsRead }: Cost = JSON.parse(answer.headers.get("X-Cost") ?? "{}");
    return { rows: rowsRead, items: pagination.total_items, pages: pagination.total_pages };
  }

  const parse = (query: string): ProductsQuery => ProductsQuery.parse(Object.fromEntries(new URLSearchParams(query)));

  /**
   * Maximum number of rows for a search: the newest 10,000 matches are read to count them and to sort them with their
   * products, and then the page with its categories.
   */
  const ofSearch = 40_000 + 6 * PER_PAGE;
  let broken = 0;
  const database = openDatabase(kept);

  /** A page of a list: `rows, ms in SQLite`. */
  async function cellOf(query: string, rows: number): Promise<string> {
    const ms = await timePage(database, parse(`${query}&per_page=${PER_PAGE}`));
    return `${rows}, ${ms.toFixed(2)} ms`;
  }

  console.log(`${products} products, ${PER_PAGE} to a page; a search may read ${ofSearch} rows\n`);
  console.log("| list | sort | first | middle | last |\n|---|---|---|---|---|");
  for (const filter of [...filters, ...searches]) {
    for (const sort of sorts) {
      const query = [filter, `sort=${sort}`].filter(Boolean).join("&");
      const first = await ask(query);
      const more = first.pages > 1 ? [Math.ceil(first.pages / 2), first.pages] : [];
      const cells = [await cellOf(query, first.rows)];
      for (const page of more) {
        const { rows } = await ask(`${query}&page=${page}`);
        if (isFound(filter) && rows > ofSearch) broken++;
        cells.push(await cellOf(`${query}&page=${page}`, rows));
      }
      console.log(
        `| ${filter.slice(0, 60) || "all"} (${first.items}) | ${sort} | ${[...cells, "", ""].slice(0, 3).join(" | ")} |`,
      );
    }
  }
  database.close();
  await server.stop();
  if (broken > 0) throw new Error(`${broken} searches read more rows than they may`);
}
