import { listen } from "../../listen.ts";
import type { Shop } from "./shop.ts";
import { ORDERS } from "./shopping.ts";
import { disputePayment, failPayment, failRefund, pay, type Stripe } from "./stripe.ts";

const ADDRESS = { name: "Jo Buyer", address: "3 Quay Street", city: "Bristol", zip: "BS1 4DB" };
const ACCOUNT = { email: "jo@example.com", password: "a ferry across the water", name: "Jo Buyer" };
const DAY_MS = 24 * 60 * 60_000;

type Item = { id: number; price: number };

/** Causes the events that the other examples do not, so that every type has an example. */
export async function causeRemainingEvents(shop: Shop, admin: string, stripe: Stripe): Promise<void> {
  const mug = await shop.ask("createProduct", {
    as: admin,
    body: { name: "Enamel Mug", sku: "MUG-1", type: "physical", price: 12.5, stock_quantity: 9, status: "active" },
  });
  const adjust = (delta: number) =>
    shop.ask("createStockAdjustment", { as: admin, path: { id: mug.id }, body: { delta, reason: "Counted" } });

  const { token, user } = await shop.ask("signUp", { body: ACCOUNT });
  const by = (method: string) => shop.ask("createOrder", { as: token, body: orderOf(mug, method) });
  const failed = await by("credit_card");
  await failPayment(shop, stripe, failed);
  await shop.ask("cancelMyOrder", { as: token, path: { orderId: failed.id }, body: {} });
  const paid = await by("credit_card");
  await pay(shop, stripe, paid);
  await disputePayment(shop, stripe, paid);
  await shop.ask("cancelMyOrder", { as: token, path: { orderId: paid.id }, body: {} });
  await shop.runSchedule();
  await failRefund(shop, stripe);
  const guest = { as: shop.access.api_keys.standard, body: orderOf(mug, "paypal") };
  const sold = await shop.ask("createOrder", guest);
  const about = { as: admin, path: { id: sold.id } };
  await shop.ask("updateOrder", { ...about, body: { payment_status: "paid" } });
  await shop.ask("updateOrder", { ...about, body: { status: "completed" } });
  await shop.ask("createOrder", { ...guest, headers: { "Idempotency-Key": "never-paid" } });
  await adjust(-2);
  await adjust(-5);
  await adjust(20);

  await moveReturns(shop, admin);
  await downloadOnce(shop, admin, { token, user });
  await shop.ask("deleteMyAccount", { as: token, body: { current_password: ACCOUNT.password } });
  const expiresAt = new Date(Date.now() + 10 * DAY_MS).toISOString();
  await shop.ask("createApiKey", {
    as: admin,
    body: { name: "Spring market", permissions: ["products:read"], expires_at: expiresAt },
  });
  await shop.runSchedule(Date.now() + 8 * DAY_MS);
  await causeAlert(shop, admin);
}

/** Declines a return that the customer requested, and has another one sent. */
async function moveReturns(shop: Shop, as: string): Promise<void> {
  const declined = { status: "declined", decline_reason: "The download was used" };
  await shop.ask("updateReturn", { as, path: { id: 1 }, body: declined });
  const order = { as, path: { id: ORDERS.goods } };
  const [line] = (await shop.ask("adminGetOrder", order)).items;
  const { id } = await shop.ask("adminCreateReturn", { ...order, body: { items: [{ id: line.id, quantity: 1 }] } });
  await shop.ask("updateReturn", { as, path: { id }, body: { status: "in_transit", carrier: "Royal Mail" } });
}

/** Raises an alert about a webhook whose receiver is gone, and resolves it. */
async function causeAlert(shop: Shop, admin: string): Promise<void> {
  const { url, close } = await listen((_, response) => response.writeHead(410).end());
  const { id } = await shop.ask("createWebhook", { as: admin, body: { url, types: ["file.*"] } });
  const it = { as: admin, path: { id } };
  await shop.ask("testWebhook", { ...it, body: {} });
  for (let tries = 0; (await shop.ask("getWebhook", it)).enabled && tries < 100; tries++)
    await new Promise((resolve) => setTimeout(resolve, 50));
  close();
  const later = (minutes: number) => shop.runSchedule(Date.now() + 9 * DAY_MS + minutes * 60_000);
  await later(0);
  await shop.record("getHealth", { as: admin });
  await shop.ask("deleteWebhook", it);
  await later(6);
  await later(20);
}

const orderOf = ({ id, price }: Item, method: string) => ({
  items: [{ product_id: id, quantity: 1, price }],
  shipping_address: ADDRESS,
  payment_method: method,
});

type Member = { token: string; user: { id: number } };

/** Uses the only download of a package. */
async function downloadOnce(shop: Shop, admin: string, { token, user }: Member): Promise<void> {
  const form = new FormData();
  for (const [name, value] of Object.entries({ access: "package", name: "Recipe", published: "true" }))
    form.append(name, value);
  form.append("file", new File(["Two eggs"], "recipe.txt", { type: "text/plain" }));
  const file = await shop.ask("uploadFile", { as: admin, form });
  const grant = { user_id: user.id, name: "Recipe", file_ids: [file.id], download_limit: 1 };
  await shop.ask("createDownloadPackage", { as: admin, body: grant });
  await shop.ask("downloadFile", { as: token, query: { file_id: String(file.id) } });
}
