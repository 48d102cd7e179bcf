import { type Answer, call } from "../../support/call.ts";
import { aProduct, aUser, orderOf } from "../../support/shop.ts";

/** An administrator, and a function that sends their requests. */
export async function anAdministrator() {
  const { id, token } = await aUser({ role: "admin", name: "Ada Admin" });
  const ask = (line: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
    call(line, { as: token, body, headers });
  return {
    id,
    token,
    ask,
    change: (order: number, body: unknown, headers?: Record<string, string>) =>
      ask(`PUT /admin/orders/${order}`, body, headers),
    ship: (order: number, carrier = "Post") =>
      ask(`PUT /admin/orders/${order}`, { status: "shipped", shipment: { carrier } }),
    refund: (order: number, body: unknown = {}, headers?: Record<string, string>) =>
      ask(`POST /admin/orders/${order}/refunds`, body, headers),
    etagOf: async (order: number) => String((await ask(`GET /admin/orders/${order}`)).headers.get("ETag")),
  };
}

type Placed = Parameters<typeof aProduct>[0] & { quantity?: number; method?: "wallet" | "paypal" | "invoice" };

/** A user's order at 10.00 per unit: paid from the wallet, or awaiting payment. */
export async function placed({ quantity = 1, method = "wallet", ...columns }: Placed = {}) {
  const user = await aUser({ wallet: 100_000 });
  const product = await aProduct({ stock: 10, ...columns });
  const body = orderOf(product, quantity, { payment_method: method });
  const { data } = (await call("POST /orders", { as: user.token, body })).body;
  return { user, product, id: data.id as number, number: data.number as string, item: data.items[0].id as number };
}
