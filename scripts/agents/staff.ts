import type { Agent } from "./client.ts";

/** Refunds half of an order that staff name by its number. */
export async function refundHalf(agent: Agent, number: string): Promise<void> {
  await agent.connect();
  const { data } = await agent.use(agent.find("adminListOrders"), { number });
  const [order] = data;
  if (!order) throw new Error(`There is no order ${number}`);
  const amount = Math.floor(order.total * 50) / 100;
  agent.say(`Order ${order.number} has id ${order.id} and a total of ${order.total}. Half of it is ${amount}.`);
  const refunded = await agent.use(agent.find("createRefund"), {
    id: order.id,
    "Idempotency-Key": crypto.randomUUID(),
    body: { amount, note: "Half refunded as agreed" },
  });
  if (refunded.status !== "success") throw new Error(refunded.message);
  agent.say(`Done: ${refunded.message}. The order is ${refunded.data.payment_status}.`);
}
