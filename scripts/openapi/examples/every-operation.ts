import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { aCheckout } from "../../../test/server/checkout.ts";
import { readDocument } from "../build.ts";
import { useAccount } from "./account.ts";
import { manageDiscounts } from "./discounts.ts";
import { exportLists } from "./exports.ts";
import { handleFiles } from "./files.ts";
import { sellGiftCards } from "./gift-cards.ts";
import { backUp, cancelImport, importRows } from "./imports.ts";
import { inviteStaff } from "./inviting.ts";
import { manageKeys, WINDOW } from "./keys.ts";
import { sellLicenses } from "./licenses.ts";
import { receiveEvents } from "./received.ts";
import { causeRemainingEvents } from "./remaining-events.ts";
import { look, manageCustomers, manageDrafts, manageOrders, manageProducts, saveViews } from "./selling.ts";
import { applyPresets, managePages, setUp, withdraw } from "./settings.ts";
import { type Shop, shopAt } from "./shop.ts";
import { goShopping, ORDERS, openGuestOrder } from "./shopping.ts";
import { hearFromStripe, startStripe } from "./stripe.ts";
import { sellSubscriptions } from "./subscriptions.ts";
import { manageWebhooks } from "./webhooks.ts";

/** An administrator's token, an API key and an order of the examples. */
type ExampleShop = { admin: string; key: string; order: { id: number } };

/**
 * Opens a new shop with these secrets, calls every operation once and passes the shop to `use`. Returns what `read` reads from
 * the shop's folder after the shop is closed.
 */
export async function callEveryOperation<Result>(
  secrets: Record<string, string>,
  use: (shop: Shop, made: ExampleShop) => Promise<(folder: string) => Result | Promise<Result>>,
): Promise<Result> {
  const stripe = await startStripe("whsec_of_the_examples");
  const vars = {
    STRIPE_API_URL: stripe.url,
    PAYPAL_API_URL: stripe.url,
    MAIL_FROM: "shop@example.com",
    WEBHOOK_LOCALHOST: "true",
    CHECKOUT_RETURN_URL: "https://shop.example/orders/{reference}",
  };
  const checkout = await aCheckout();
  try {
    const lines = Object.entries({ ...secrets, ...vars }).map(([name, value]) => `${name}='${value}'\n`);
    writeFileSync(join(checkout.folder, ".dev.vars"), lines.join(""));
    const opened = await checkout.start();
    const shop = shopAt(opened, await readDocument("."));
    const read = await use(shop, await callAll(shop, stripe));
    await checkout.kill();
    return await read(checkout.folder);
  } finally {
    await checkout.kill();
    checkout.remove();
    stripe.close();
  }
}

/** Calls every operation in the order of the reference, except those that depend on a secret or on a special state. */
async function callAll(shop: Shop, stripe: Parameters<typeof hearFromStripe>[1]): Promise<ExampleShop> {
  const started = new Date().toISOString();
  const { token: admin } = await shop.ask("logIn", { body: shop.access.admin });
  const { token: casey } = await shop.ask("logIn", { body: shop.access.customer });
  Object.assign(shop.tokens, { admin, customer: casey });
  await shop.record("updateStripeAccount", { as: admin, body: { secret_key: "sk_test_example" } });
  await goShopping(shop);
  await useAccount(shop, casey);
  await saveViews(shop);
  await backUp(shop);
  await manageKeys(shop);
  await managePages(shop);
  const font = await manageProducts(shop);
  await manageDiscounts(shop);
  await manageOrders(shop);
  const draftedOrder = await manageDrafts(shop, font);
  await inviteStaff(shop);
  await manageCustomers(shop);
  await handleFiles(shop);
  await sellLicenses(shop, font, draftedOrder);
  const code = await sellGiftCards(shop);
  await sellSubscriptions(shop, stripe);
  await setUp(shop);
  await exportLists(shop);
  await importRows(shop);
  await manageWebhooks(shop);
  await look(shop);

  const receiver = await receiveEvents(shop, admin, started);
  shop.tokens.customer = casey;
  await shop.record("redeemGiftCard", { body: { code, amount: 10 } });
  const [invoice] = await shop.record("listMyInvoices", { query: { order_id: String(ORDERS.download) } });
  await shop.record("downloadMyInvoice", { path: { id: invoice.id, format: "pdf" } });
  await withdraw(shop);
  await openGuestOrder(shop, admin);
  await cancelImport(shop);
  await hearFromStripe(shop, stripe);
  await causeRemainingEvents(shop, admin, stripe);
  const missing = await receiver.missing();
  if (missing.length > 0) throw new Error(`There was no event ${missing.join(", ")}`);
  receiver.close();
  await applyPresets(shop);
  const { key } = await shop.ask("createApiKey", { as: admin, body: WINDOW });
  return { admin, key, order: { id: ORDERS.goods } };
}
