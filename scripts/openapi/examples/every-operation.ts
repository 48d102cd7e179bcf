import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { aCheckout, withoutDelivery } from "../../../test/server/checkout.ts";
import { readDocument } from "../build.ts";
import { manageDiscounts } from "./discounts.ts";
import { exportLists } from "./exports.ts";
import { handleFiles } from "./files.ts";
import { importRows } from "./imports.ts";
import { inviteStaff } from "./inviting.ts";
import { manageKeys } from "./keys.ts";
import { leave } from "./leaving.ts";
import { receiveEvents } from "./received.ts";
import { causeRemainingEvents } from "./remaining-events.ts";
import { sell } from "./selling.ts";
import { setUp } from "./settings.ts";
import { type Shop, shopAt } from "./shop.ts";
import { goShopping } from "./shopping.ts";
import { hearFromStripe, startStripe } from "./stripe.ts";
import { manageWebhooks } from "./webhooks.ts";

const STRIPE_WEBHOOK_SECRET = "whsec_of_the_examples";

/** An administrator's token, an API key and an order of the examples. */
type Made = { admin: string; key: string; order: { id: number } };

/**
 * Opens a new shop with these secrets, calls every operation once and passes the shop to `use`. Returns what `read` reads from
 * the shop's folder after the shop is closed.
 */
export async function callEveryOperation<Result>(
  secrets: Record<string, string>,
  use: (shop: Shop, made: Made) => Promise<(folder: string) => Result | Promise<Result>>,
): Promise<Result> {
  const stripe = { ...(await startStripe()), secret: STRIPE_WEBHOOK_SECRET };
  const vars = {
    STRIPE_SECRET_KEY: "sk_test_of_the_examples",
    STRIPE_WEBHOOK_SECRET,
    STRIPE_API_URL: stripe.url,
    MAIL_FROM: "shop@example.com",
    WEBHOOK_LOCALHOST: "true",
    CHECKOUT_RETURN_URL: "https://shop.example/orders/{reference}",
  };
  const checkout = await aCheckout();
  try {
    const lines = Object.entries({ ...secrets, ...vars }).map(([name, value]) => `${name}='${value}'\n`);
    writeFileSync(join(checkout.folder, ".dev.vars"), lines.join(""));
    const opened = await checkout.start();
    await withoutDelivery(opened);
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

async function callAll(shop: Shop, stripe: Parameters<typeof hearFromStripe>[1]): Promise<Made> {
  const { token: admin } = await shop.ask("logIn", { body: shop.access.admin });
  const receiver = await receiveEvents(shop, admin);
  const bought = await goShopping(shop, admin);
  await sell(shop, admin, bought);
  await manageDiscounts(shop, admin);
  await handleFiles(shop, admin, bought.user);
  await leave(shop, admin);
  await inviteStaff(shop, admin);
  await hearFromStripe(shop, stripe);
  await manageWebhooks(shop, admin);
  await exportLists(shop, admin);
  await importRows(shop, admin);
  await setUp(shop, admin);
  const key = await manageKeys(shop, admin);
  await causeRemainingEvents(shop, admin, stripe);
  const missing = await receiver.missing();
  if (missing.length > 0) throw new Error(`There was no event ${missing.join(", ")}`);
  receiver.close();
  return { admin, key, order: bought.order };
}
