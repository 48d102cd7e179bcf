import type { Callers } from "./callers.ts";
import { API, bearer, type Goods, get, inTurn, orderOf, send } from "./requests.ts";
import type { Server } from "./server.ts";
import type { Batch } from "./workers/recording.ts";

/** Data for requests and floors, read from the shop itself. */
export async function askFacts({ urlOf, env }: Server<"shop" | "shop-counted">, { newKeys, newUsers }: Callers) {
  const ask = async (credential: string) =>
    (await send(urlOf("shop"), get(`${API}/products`, bearer(credential)))).text();
  const list = await ask(inTurn(await newKeys(1, "premium"))(0));
  const { results: products } = await env.DB.prepare(selectGoods).all<Goods>();
  const order = orderOf(inTurn(await newUsers(1))(0), inTurn(products)(0));
  await (await send(urlOf("shop-counted"), order)).text();
  const placed: Batch = JSON.parse(await (await fetch(`${urlOf("shop-counted")}/last-order`)).text());
  return {
    products,
    listBytes: list.length,
    refusalBytes: (await ask("sfk_made-up")).length,
    lastPage: Number(JSON.parse(list).pagination.total_pages),
    placed,
  };
}
export type Facts = Awaited<ReturnType<typeof askFacts>>;

/** Sends the placed order's batch to the floors, which repeat it. */
export async function sendOrderToFloors(
  { urlOf }: Server<"floor" | "floor-counted">,
  { placed }: Facts,
): Promise<void> {
  for (const floor of ["floor", "floor-counted"] as const) {
    await fetch(`${urlOf(floor)}/recorded-order`, { method: "POST", body: JSON.stringify(placed) });
  }
}

const selectGoods = `
  SELECT id, price FROM products WHERE status = 'active' AND type = 'physical' AND in_stock ORDER BY id LIMIT 100`;
