import { bearer, get, send } from "../bench/requests.ts";
import type { Cost } from "../bench/workers/telling.ts";
import { ownRuntime, residentBytes } from "../soak/resident.ts";

const MB = 1_000_000;
const EXPORTS = "/api/v1/admin/exports";

/** Maximum rows that D1 may read for each exported row, and the list that is scanned as a whole, if any. */
const exportsAsked: [path: string, budget: number, lookedThrough?: "products" | "orders"][] = [
  ["products/csv", 6],
  ["orders/ndjson", 18],
  ["order-lines/csv", 6],
  ["customers/csv", 2],
  ["customers/csv?tag=trade", 6],
  ["transactions/csv", 4],
  ["products/csv?search=velvet", 8],
  ["products/csv?low_stock=true", 6, "products"],
  ["orders/csv?search=quillfeather", 26],
  ["orders/csv?search=smith", 26],
  ["orders/csv?days=30", 18],
  ["orders/csv?status=processing", 18],
];

/**
 * Prints the rows that each export reads and the memory of workerd meanwhile. Returns the number of exports over
 * budget.
 */
export async function readExports(
  url: string,
  key: (index: number) => string,
  sizes: Record<"products" | "orders", number>,
) {
  const pid = ownRuntime();
  let broken = 0;
  console.log(
    "\n| export | rows | D1 rows a row | round trips | first byte, ms | s | MB | workerd at the start, peak, end, MB |",
  );
  console.log("|---|---|---|---|---|---|---|---|");
  for (const [index, [path, budget, lookedThrough]] of exportsAsked.entries()) {
    const memory = [residentBytes(pid)];
    const sampling = setInterval(() => memory.push(residentBytes(pid)), 100);
    const started = performance.now();
    const answer = await send(url, get(`${EXPORTS}/${path}`, bearer(key(index))));
    if (!answer.ok || !answer.body) throw new Error(`${path}: ${await answer.text()}`);
    let [first, bytes, lines] = [0, 0, 0];
    for await (const part of answer.body) {
      first ||= performance.now() - started;
      bytes += part.length;
      lines += linesIn(part);
    }
    const seconds = (performance.now() - started) / 1000;
    clearInterval(sampling);
    memory.push(residentBytes(pid));
    const rows = lines - (path.includes("csv") ? 1 : 0);
    const { rowsRead, d1 }: Cost = JSON.parse(await (await send(url, get("/cost-of-last"))).text());
    const each = (rowsRead - (lookedThrough ? sizes[lookedThrough] : 0)) / Math.max(rows, 1);
    const isOver = rows > 500 && each > budget;
    if (isOver) broken++;
    const resident = [memory.at(0), Math.max(...memory), memory.at(-1)].map((size = 0) => (size / MB).toFixed(0));
    console.log(
      `| ${path} | ${rows} | ${(rowsRead / Math.max(rows, 1)).toFixed(1)}${isOver ? ` of ${budget}` : ""} | ${d1} | ${first.toFixed(0)} | ${seconds.toFixed(1)} | ${(bytes / MB).toFixed(0)} | ${resident.join(", ")} |`,
    );
  }
  return broken;
}

/** Counts lines. Descriptions with several lines would count as more rows, but the generated shop has none. */
function linesIn(part: Uint8Array): number {
  let lines = 0;
  for (let at = part.indexOf(10); at !== -1; at = part.indexOf(10, at + 1)) lines++;
  return lines;
}
