import { sentToken } from "../../../test/server/emails.ts";
import type { Shop } from "./shop.ts";

// The demo shop's customer has order 1001 of goods, and order 1002 of a download.
export const ORDERS = { goods: 1001, download: 1002 };

const FILM_TANK = { product_id: 56, price: 38.9 };
const RAIN = { product_id: 59, price: 9 };
const ADDRESS = { name: "Casey Customer", address: "12 Harbour Row", city: "Bristol", zip: "BS1 5TY" };
const GUEST = { name: "Wren Walker", email: "wren@example.com" };

/** Calls the operations of the storefront that need no account of their own, in the order of the reference. */
export async function goShopping(shop: Shop): Promise<void> {
  await shop.record("listProducts", { query: { category: "film-darkroom", in_stock: "true", per_page: "1" } });
  await shop.record("getProduct", { path: { id: 64 } });
  await shop.record("listCategories", { query: { per_page: "2" } });

  const cart = await shop.record("addCartItem", { body: { ...FILM_TANK, quantity: 2 } });
  await shop.record("getCart");
  const line = { path: { id: cart.items[0].id } };
  await shop.record("updateCartItem", { ...line, body: { quantity: 1 } });
  await shop.record("removeCartItem", line);
  await shop.record("clearCart");

  const items = [FILM_TANK, RAIN].map((item) => ({ ...item, quantity: 1 }));
  const wanted = items.map(({ product_id, quantity }) => ({ product_id, quantity }));
  const body = { items, shipping_address: ADDRESS, payment_method: "bank_transfer" };
  const order = await shop.record("createOrder", { headers: { "Idempotency-Key": "cart-1-casey" }, body });
  await shop.record("createQuote", { body: { items: wanted, shipping_address: ADDRESS } });
  await shop.record("listMyOrders", { query: { status: "processing", per_page: "1" } });
  await shop.record("getMyOrder", { path: { orderId: ORDERS.goods } });
  await shop.record("cancelMyOrder", { path: { orderId: order.id }, body: {} });
  const { items: downloads } = await shop.ask("getMyOrder", {
    as: shop.tokens.customer,
    path: { orderId: ORDERS.download },
  });
  await shop.record("createMyReturn", {
    path: { orderId: ORDERS.download },
    body: { items: [{ id: downloads[0].id, quantity: 1 }], reason: "Bought twice by mistake" },
  });
  await shop.record("listMyReturns", { query: { order_id: String(ORDERS.download) } });
}

/** Opens the link of a guest's order, which no example can hold. */
export async function openGuestOrder(shop: Shop, admin: string): Promise<void> {
  const { id } = await shop.ask("createOrder", {
    as: shop.access.api_keys.standard,
    body: { items: [{ ...RAIN, quantity: 1 }], customer: GUEST, payment_method: "paypal" },
  });
  await shop.ask("updateOrder", { as: admin, path: { id }, body: { payment_status: "paid" } });
  const token = await sentToken(shop.access.base_url, GUEST.email, "order");
  const [{ files }] = (await shop.record("getOrderByToken", { body: { token } })).downloads;
  await shop.record("createGuestDownload", { body: { token, file_id: files[0].id } });
  await shop.record("rotateOrderLink", { body: { token } });
}
