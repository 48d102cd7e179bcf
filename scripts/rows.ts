import { cpSync, rmSync } from "node:fs";
import { parseArgs } from "node:util";
import { openCallers } from "./bench/callers.ts";
import { API, bearer, get, inTurn, send } from "./bench/requests.ts";
import { seeded } from "./bench/seed.ts";
import { serve } from "./bench/server.ts";
import type { Cost } from "./bench/workers/telling.ts";
import { newSecrets } from "./secrets.ts";

// `npm run rows -- --products 100000`: the rows that D1 reads for the first, the middle and the last page of lists, beside
// what they may at most; it fails when a search reads more.

const { values: options } = parseArgs({
  options: { products: { type: "string", default: "1000" }, per_page: { type: "string", default: "20" } },
});
const perPage = Number(options.per_page);

const filters = [
  "",
  "category=paper",
  "status=active",
  "status=draft",
  "type=service",
  "in_stock=true",
  "in_stock=false",
  "category=paper&status=active&type=digital&in_stock=true",
  "min_price=100&max_price=200",
  "min_price=123.45&max_price=123.99",
  "category=paper&status=active&min_price=100&max_price=200",
];
const searches = [
  "search=workshop",
  "search=velvet",
  "search=velvet+satch",
  "search=SKU-0000777",
  // What every product is called, and what costs the index most.
  `search=${Array(99).fill("a").join("+")}`,
  "search=a+sku+00",
  "search=a+clear+instructions+in+four+languages+and+number",
  "search=a&min_price=1.11&max_price=8888888.88",
  "search=sku&category=paper&status=active&in_stock=true",
];
const sorts = ["newest", "price", "-price", "name"];

const RUN = ".bench/rows";
const kept = await seeded(Number(options.products));
rmSync(RUN, { recursive: true, force: true });
cpSync(kept, RUN, { recursive: true });
const server = await serve(["shop", "shop-counted"], RUN, await newSecrets());
const { newKeys } = await openCallers(server.env);
const key = inTurn(await newKeys(10, "premium"));
let sent = 0;

/** Rows read for a page that nobody has asked for yet, and how many products and pages the list has. */
async function ask(query: string): Promise<{ rows: number; items: number; pages: number; ms: number }> {
  const start = performance.now();
  const answer = await send(
    server.urlOf("shop-counted"),
    get(`${API}/products?${query}&per_page=${perPage}`, bearer(key(sent++))),
  );
  const ms = performance.now() - start;
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${query}: ${text}`);
  const { pagination } = JSON.parse(text);
  const { rowsRead }: Cost = JSON.parse(answer.headers.get("X-Cost") ?? "{}");
  return { rows: rowsRead, items: pagination.total_items, pages: pagination.total_pages, ms };
}

const ofList = 3 * perPage + 50;
/** A search reads the newest 10,000 matches to count them, and to sort them with their products. */
const ofSearch = 40_000 + 5 * perPage;
let broken = 0;
console.log(`${options.products} products, ${perPage} to a page: at most ${ofList} rows, of a search ${ofSearch}\n`);
console.log("| list | sort | first | middle | last |\n|---|---|---|---|---|");
for (const filter of [...filters, ...searches]) {
  const most = filter.startsWith("search=") ? ofSearch : ofList;
  for (const sort of sorts) {
    const query = [filter, `sort=${sort}`].filter(Boolean).join("&");
    const first = await ask(query);
    const more = first.pages > 1 ? [Math.ceil(first.pages / 2), first.pages] : [];
    const pages = [first];
    for (const page of more) pages.push(await ask(`${query}&page=${page}`));
    const cells = pages.map(({ rows, ms }) => `${rows}${rows > most ? " (!)" : ""}, ${ms.toFixed(0)} ms`);
    if (most === ofSearch && pages.some(({ rows }) => rows > most)) broken++;
    console.log(
      `| ${filter.slice(0, 60) || "all"} (${first.items}) | ${sort} | ${[...cells, "", ""].slice(0, 3).join(" | ")} |`,
    );
  }
}
await server.stop();
if (broken > 0) throw new Error(`${broken} searches read more rows than they may`);
