import type { Callers } from "./callers.ts";
import { costOf } from "./cost.ts";
import { API, bearer, type Goods, get, inTurn, orderOf, send } from "./requests.ts";
import type { Server } from "./server.ts";

/** Data for requests and floors, read from the shop itself. */
export async function askFacts({ urlOf, env }: Server<"shop" | "shop-counted">, { newKeys, newUsers }: Callers) {
  const ask = async (credential: string) =>
    (await send(urlOf("shop"), get(`${API}/products`, bearer(credential)))).text();
  const list = await ask(inTurn(await newKeys(1, "premium"))(0));
  const { results: products } = await env.DB.prepare(selectGoods).all<Goods>();
  const order = orderOf(inTurn(await newUsers(1))(0), inTurn(products)(0));
  const { statements, rowsWritten } = await costOf(urlOf("shop-counted"), order);
  return {
    products,
    listBytes: list.length,
    refusalBytes: (await ask("sfk_made-up")).length,
    lastPage: Number(JSON.parse(list).pagination.total_pages),
    statements,
    rowsWritten,
  };
}
export type Facts = Awaited<ReturnType<typeof askFacts>>;

/** Sends the statements of a placed order to the floors, which repeat them. */
export async function sendOrderToFloors({ urlOf }: Server<"shop-counted" | "floor" | "floor-counted">): Promise<void> {
  const recorded = await (await fetch(`${urlOf("shop-counted")}/last-batch`)).text();
  for (const floor of ["floor", "floor-counted"] as const) {
    await fetch(`${urlOf(floor)}/recorded-order`, { method: "POST", body: recorded });
  }
}

const selectGoods = `
  SELECT id, price FROM products WHERE status = 'active' AND type = 'physical' AND in_stock ORDER BY id LIMIT 100`;
