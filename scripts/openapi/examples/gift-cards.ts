import type { Shop } from "./shop.ts";

/** Issues a gift card, and sells another to a guest. Returns the code of the second. */
export async function sellGiftCards(shop: Shop): Promise<string> {
  const { admin } = shop.tokens;
  const { id } = await shop.record("createGiftCard", { as: admin, body: { value: 20, reason: "Prize of the raffle" } });
  await shop.record("disableGiftCard", { as: admin, path: { id } });
  const key = shop.access.api_keys.standard;
  const product = { name: "Gift card", sku: "GIFT-25", type: "gift_card", price: 25, status: "active" };
  const { id: product_id, price } = await shop.ask("createProduct", { as: admin, body: product });
  const customer = { email: "gil@example.com", name: "Gil Giver" };
  const body = { items: [{ product_id, quantity: 1, price }], customer, payment_method: "paypal" };
  const order = await shop.ask("createOrder", { as: key, body });
  await shop.ask("updateOrder", { as: admin, path: { id: order.id }, body: { payment_status: "paid" } });
  const [card] = await shop.record("listMyGiftCards", { as: key, query: { order_id: String(order.id) } });
  await shop.record("adminListGiftCards", { as: admin, query: { order_id: String(order.id) } });
  return card.code;
}
