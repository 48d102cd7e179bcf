import { sentToken } from "../../../test/server/emails.ts";
import type { Shop } from "./shop.ts";
import { useTwoFactor } from "./two-factor.ts";

const ADDRESS = { name: "Robin Reader", address: "12 Harbour Row", city: "Bristol", zip: "BS1 5TY" };
const GUEST = { name: "Wren Walker", email: "wren@example.com" };
const ACCOUNT = { email: "robin@example.com", password: "a long walk by the sea" };

/** A guest with a cart becomes a customer, buys, downloads and leaves. Returns data for later examples. */
export async function goShopping(shop: Shop, admin: string) {
  const key = shop.access.api_keys.standard;
  const [physical] = await shop.record("listProducts", {
    as: key,
    query: { category: "film-darkroom", in_stock: "true", per_page: "1" },
  });
  const [digital] = await shop.ask("listProducts", {
    as: key,
    query: { search: "loop", type: "digital", per_page: "1" },
  });
  const [withVariants] = await shop.ask("listProducts", { as: key, query: { search: "harbours", per_page: "1" } });
  await shop.record("listCategories", { as: key, query: { per_page: "2" } });
  await shop.record("getProduct", { as: key, path: { id: withVariants.id } });

  const { id: product_id, price } = physical;
  const cart = await shop.record("addCartItem", { as: key, body: { product_id, quantity: 2, price } });
  const guest = { as: key, headers: { "X-Cart-Token": cart.token } };
  await shop.record("getCart", guest);
  const line = { ...guest, path: { id: cart.items[0].id } };
  await shop.record("updateCartItem", { ...line, body: { quantity: 1 } });

  const { user } = await shop.record("signUp", { body: { ...ACCOUNT, name: "Robin Reader", cart_token: cart.token } });
  const robin = await signInByEmail(shop);
  const { refresh_token } = robin;
  await shop.record("creditWallet", {
    as: admin,
    path: { id: user.id },
    body: { amount: 500, reason: "A gift card of their aunt" },
  });
  await shop.record("getMyProfile", robin);
  await shop.record("updateMyProfile", { ...robin, body: { name: "Robin A. Reader" } });

  const address = await shop.record("createMyAddress", {
    ...robin,
    body: { ...ADDRESS, country: "GB", default: true },
  });
  const book = { ...robin, path: { id: address.id } };
  await shop.record("listMyAddresses", robin);
  await shop.record("getMyAddress", book);
  await shop.record("updateMyAddress", { ...book, body: { address2: "Second floor" } });
  const items = [physical, digital].map(({ id, price }) => ({ product_id: id, quantity: 1, price }));
  const wanted = items.map(({ product_id, quantity }) => ({ product_id, quantity }));
  await shop.record("createQuote", { ...robin, body: { items: wanted, shipping_address: ADDRESS } });
  const order = await shop.record("createOrder", {
    ...robin,
    headers: { "Idempotency-Key": "cart-1-robin" },
    body: { items, shipping_address: ADDRESS, payment_method: "wallet" },
  });
  const unpaid = await shop.ask("createOrder", {
    ...robin,
    body: { items: items.slice(1), payment_method: "paypal" },
  });
  await shop.record("listMyOrders", { ...robin, query: { status: "processing", per_page: "1" } });
  await shop.record("getMyOrder", { ...robin, path: { orderId: order.id } });
  const seller = { name: "Lamp & Co", address: "Torstraße 1", city: "Berlin", zip: "10119", country: "DE" };
  await shop.ask("updateShop", { as: admin, body: { address: seller, invoice_prefix: "INV-" } });
  const invoice = await shop.record("createInvoice", { as: admin, path: { id: order.id }, body: {} });
  await shop.record("downloadMyInvoice", { ...robin, path: { id: invoice.id, format: "peppol" } });
  await shop.record("adminDownloadInvoice", { as: admin, path: { id: invoice.id, format: "xrechnung" } });
  await shop.record("listMyInvoices", { ...robin, query: { order_id: String(order.id) } });
  await shop.record("adminListInvoices", { as: admin, query: { per_page: "1" } });
  await shop.record("listInvoiceSeries", { as: admin });
  const download = { id: order.items[1].id, quantity: 1 };
  await shop.record("createMyReturn", {
    ...robin,
    path: { orderId: order.id },
    body: { items: [download], reason: "Bought twice by mistake" },
  });
  await shop.record("listMyReturns", { ...robin, query: { order_id: String(order.id) } });
  await shop.record("cancelMyOrder", { ...robin, path: { orderId: unpaid.id }, body: {} });
  const { id } = await shop.ask("createOrder", {
    as: key,
    body: { items, shipping_address: ADDRESS, customer: GUEST, payment_method: "paypal" },
  });
  await shop.ask("updateOrder", { as: admin, path: { id }, body: { payment_status: "paid" } });
  const token = await sentToken(shop.access.base_url, GUEST.email, "order");
  const [{ files: theirs }] = (await shop.record("getOrderByToken", { body: { token } })).downloads;
  await shop.record("createGuestDownload", { body: { token, file_id: theirs[0].id } });
  await shop.record("rotateOrderLink", { body: { token } });
  await shop.record("listMyTransactions", { ...robin, query: { per_page: "2" } });

  await shop.record("listMyDownloadPackages", { ...robin, query: { per_page: "1" } });
  await shop.record("listFiles", { ...robin, query: { per_page: "1" } });
  const files: Listed[] = await shop.ask("listFiles", { ...robin, query: { per_page: "100" } });
  const large = files.find((file) => file.access === "package" && file.can_download && file.size_bytes > 1_000_000);
  const link = await shop.record("downloadFile", { ...robin, query: { file_id: String(large?.id) } });
  const followed = { query: { token: new URL(link.url).searchParams.get("token") ?? "" } };
  await shop.record("followDownloadLink", followed);
  await shop.beRefused(416, "followDownloadLink", { ...followed, headers: { Range: "bytes=999999999999-" } });

  await shop.ask("addCartItem", { ...robin, body: { product_id: physical.id } });
  const [kept] = (await shop.ask("getCart", robin)).items;
  await shop.record("removeCartItem", { ...robin, path: { id: kept.id } });
  await shop.record("clearCart", robin);

  await shop.record("deleteMyAddress", book);
  await shop.ask("logIn", { body: ACCOUNT });
  const sessions: Session[] = await shop.record("listMySessions", { ...robin, query: { per_page: "2" } });
  const other = sessions.find(({ current }) => !current);
  await shop.record("revokeMySession", { ...robin, path: { id: String(other?.id) } });
  await shop.record("revokeMyOtherSessions", robin);
  await shop.record("reauthenticate", { ...robin, body: { current_password: ACCOUNT.password } });
  await useTwoFactor(shop, robin.as, ACCOUNT);
  const renewed = await shop.record("refreshSession", { body: { refresh_token } });
  await shop.record("logOut", { as: renewed.token, body: { refresh_token: renewed.refresh_token } });
  return { user, order };
}

const NEW_EMAIL = "robin.reader@example.com";

async function signInByEmail(shop: Shop) {
  const { base_url } = shop.access;
  const first = await shop.ask("logIn", { body: ACCOUNT });
  await shop.record("resendVerification", { as: first.token, body: {} });
  await shop.record("verifyEmail", {
    as: first.token,
    body: { token: await sentToken(base_url, ACCOUNT.email, "verify") },
  });
  await shop.record("forgotPassword", { body: { email: ACCOUNT.email } });
  const ended = await sentToken(base_url, ACCOUNT.email, "reset");
  const change = { email: NEW_EMAIL, current_password: ACCOUNT.password };
  await shop.ask("updateMyProfile", { as: first.token, body: change });
  await shop.ask("verifyEmail", { body: { token: await sentToken(base_url, NEW_EMAIL, "confirm") } });
  await shop.record("revertEmail", { body: { token: await sentToken(base_url, ACCOUNT.email, "revert") } });
  const token = await sentToken(base_url, ACCOUNT.email, "reset", ended);
  await shop.record("resetPassword", { body: { token, password: ACCOUNT.password } });
  const session = await shop.record("logIn", { body: ACCOUNT });
  return { as: session.token, refresh_token: session.refresh_token };
}

type Session = { id: string; current: boolean };
type Listed = { id: number; access: string; can_download: boolean; size_bytes: number };
