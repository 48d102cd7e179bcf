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
  const cart = await shop.record("addToCart", { as: key, body: { product_id, quantity: 2, price } });
  const guest = { as: key, headers: { "X-Cart-Token": cart.token } };
  await shop.record("getCart", guest);
  const line = { ...guest, path: { id: cart.items[0].id } };
  await shop.record("changeLineOfCart", { ...line, body: { quantity: 1 } });

  const { user } = await shop.record("signUp", { body: { ...ACCOUNT, name: "Robin Reader", cart_token: cart.token } });
  const robin = await signInByEmail(shop);
  const { refresh_token } = robin;
  await shop.record("creditWallet", {
    as: admin,
    path: { id: user.id },
    body: { amount: 500, reason: "A gift card of their aunt" },
  });
  await shop.record("getYourProfile", robin);
  await shop.record("updateYourProfile", { ...robin, body: { name: "Robin A. Reader" } });

  const address = await shop.record("addAddress", { ...robin, body: { ...ADDRESS, country: "GB", default: true } });
  const book = { ...robin, path: { id: address.id } };
  await shop.record("listYourAddresses", robin);
  await shop.record("getAddressOfYours", book);
  await shop.record("updateAddressOfYours", { ...book, body: { address2: "Second floor" } });
  const items = [physical, digital].map(({ id, price }) => ({ product_id: id, quantity: 1, price }));
  const wanted = items.map(({ product_id, quantity }) => ({ product_id, quantity }));
  await shop.record("quoteOrder", { ...robin, body: { items: wanted, shipping_address: ADDRESS } });
  const order = await shop.record("placeOrder", {
    ...robin,
    headers: { "Idempotency-Key": "cart-1-robin" },
    body: { items, shipping_address: ADDRESS, payment_method: "wallet" },
  });
  const unpaid = await shop.ask("placeOrder", {
    ...robin,
    body: { items: items.slice(1), payment_method: "paypal" },
  });
  await shop.record("listYourOrders", { ...robin, query: { status: "processing", per_page: "1" } });
  await shop.record("getOrderOfYours", { ...robin, path: { orderId: order.id } });
  await shop.record("cancelOrder", { ...robin, path: { orderId: unpaid.id }, body: {} });
  await shop.ask("placeOrder", {
    as: key,
    body: { items: items.slice(0, 1), shipping_address: ADDRESS, customer: GUEST, payment_method: "paypal" },
  });
  const token = await sentToken(shop.access.base_url, GUEST.email, "order");
  await shop.record("openOrderLink", { body: { token } });
  await shop.record("listYourTransactions", { ...robin, query: { per_page: "2" } });

  await shop.record("listYourDownloadPackages", { ...robin, query: { per_page: "1" } });
  await shop.record("listFiles", { ...robin, query: { per_page: "1" } });
  const files: Listed[] = await shop.ask("listFiles", { ...robin, query: { per_page: "100" } });
  const large = files.find((file) => file.access === "package" && file.can_download && file.size_bytes > 1_000_000);
  const link = await shop.record("downloadFile", { ...robin, query: { file_id: String(large?.id) } });
  const followed = { query: { token: new URL(link.url).searchParams.get("token") ?? "" } };
  await shop.record("followDownloadLink", followed);
  await shop.beRefused(416, "followDownloadLink", { ...followed, headers: { Range: "bytes=999999999999-" } });

  await shop.ask("addToCart", { ...robin, body: { product_id: physical.id } });
  const [kept] = (await shop.ask("getCart", robin)).items;
  await shop.record("takeLineOutOfCart", { ...robin, path: { id: kept.id } });
  await shop.record("emptyCart", robin);

  await shop.record("deleteAddressOfYours", book);
  await shop.ask("logIn", { body: ACCOUNT });
  const sessions: Session[] = await shop.record("listYourSessions", { ...robin, query: { per_page: "2" } });
  const other = sessions.find(({ current }) => !current);
  await shop.record("endSessionOfYours", { ...robin, path: { id: String(other?.id) } });
  await shop.record("endYourOtherSessions", robin);
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
  await shop.ask("updateYourProfile", { as: first.token, body: change });
  await shop.ask("verifyEmail", { body: { token: await sentToken(base_url, NEW_EMAIL, "confirm") } });
  await shop.record("revertEmail", { body: { token: await sentToken(base_url, ACCOUNT.email, "revert") } });
  const token = await sentToken(base_url, ACCOUNT.email, "reset", ended);
  await shop.record("resetPassword", { body: { token, password: ACCOUNT.password } });
  const session = await shop.record("logIn", { body: ACCOUNT });
  return { as: session.token, refresh_token: session.refresh_token };
}

type Session = { id: string; current: boolean };
type Listed = { id: number; access: string; can_download: boolean; size_bytes: number };
