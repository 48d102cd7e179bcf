import { parseArgs } from "node:util";
import { readAdministration } from "./rows/administration.ts";
import { readCatalogue } from "./rows/catalogue.ts";

// `npm run rows -- --products 100000 --variants 4` prints the rows that catalogue lists read and their time in SQLite. With `--orders
// 100000`, the rows of the administration's lists, searches and reports.

const { values: options } = parseArgs({
  options: {
    products: { type: "string", default: "1000" },
    orders: { type: "string", default: "0" },
    variants: { type: "string", default: "0" },
  },
});
// Query schemas convert prices in the currency of the shop.
process.env.CURRENCY ??= "USD";
const [products, orders] = [Number(options.products), Number(options.orders)];

await (orders > 0 ? readAdministration(products, orders) : readCatalogue(products, Number(options.variants)));
