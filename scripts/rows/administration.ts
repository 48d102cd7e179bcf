import { bearer, get, inTurn, send } from "../bench/requests.ts";
import { openShop } from "../bench/shop.ts";
import type { Cost } from "../bench/workers/telling.ts";
import { readExports } from "./exports.ts";
import { budgets, pages } from "./pages.ts";
import { openPanel } from "./panel.ts";

/** Prints the rows read and the time of admin pages and exports, for a number of products and orders. */
export async function readAdministration(products: number, orders: number): Promise<void> {
  const { server, callers } = await openShop(["shop", "shop-counted"], ".bench/rows", { products, orders });
  const key = inTurn(await callers.newKeys(2, "premium"));
  const cookies = inTurn(await openPanel(callers, 10));
  const url = server.urlOf("shop-counted");
  const ask = (path: string, index: number) =>
    send(url, get(path, path.startsWith("/api/") ? bearer(key(index)) : cookies(index)));
  await addUp(() => ask("/api/v1/admin/reports/sales", 0));
  console.log(
    `${products} products, ${orders} orders\n\n| page | rows | round trips | ms | KB |\n|---|---|---|---|---|`,
  );
  let broken = 0;
  for (const [index, [path, budget]] of pages(orders).entries()) {
    const started = performance.now();
    const answer = await ask(path, index);
    const ms = performance.now() - started;
    const text = await answer.text();
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${text.slice(0, 300)}`);
    const { rowsRead, d1 }: Cost = JSON.parse(answer.headers.get("X-Cost") ?? "{}");
    const isOver = rowsRead > budgets[budget];
    if (isOver) broken++;
    const rows = `${rowsRead}${isOver ? ` of ${budgets[budget]}` : ""}`;
    console.log(`| ${path} | ${rows} | ${d1} | ${ms.toFixed(0)} | ${(text.length / 1000).toFixed(0)} |`);
  }
  broken += await readExports(url, key, { products, orders });
  await server.stop();
  if (broken > 0) throw new Error(`${broken} pages and exports read more rows than they may`);
}

/** Requests the sales report until it contains all sales. */
async function addUp(ask: () => Promise<Response>): Promise<void> {
  const started = performance.now();
  for (let incomplete = true; incomplete; ) incomplete = JSON.parse(await (await ask()).text()).data.incomplete;
  console.log(`Sales were added up in ${((performance.now() - started) / 1000).toFixed(0)} s`);
}
