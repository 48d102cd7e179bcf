import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { aCheckout } from "../test/server/checkout.ts";
import { readDocument } from "./openapi/build.ts";
import { manageDiscounts } from "./openapi/examples/discounts.ts";
import { exportLists } from "./openapi/examples/exports.ts";
import { handleFiles } from "./openapi/examples/files.ts";
import { importRows } from "./openapi/examples/imports.ts";
import { inviteStaff } from "./openapi/examples/inviting.ts";
import { manageKeys } from "./openapi/examples/keys.ts";
import { leave } from "./openapi/examples/leaving.ts";
import { receiveEvents } from "./openapi/examples/received.ts";
import { beRefused } from "./openapi/examples/refusals.ts";
import { causeRemainingEvents } from "./openapi/examples/remaining-events.ts";
import { sell } from "./openapi/examples/selling.ts";
import { setUp } from "./openapi/examples/settings.ts";
import { shopAt } from "./openapi/examples/shop.ts";
import { goShopping } from "./openapi/examples/shopping.ts";
import { EXAMPLES } from "./openapi/examples/stored.ts";
import { hearFromStripe, startStripe } from "./openapi/examples/stripe.ts";
import { manageWebhooks } from "./openapi/examples/webhooks.ts";
import { newSecrets } from "./secrets.ts";

// `npm run openapi:examples` calls every operation of a new shop once and records the responses for the OpenAPI document. Run
// it when a response changes its shape or a route is new.

const stripe = { ...(await startStripe()), secret: "whsec_of_the_examples" };

const vars = {
  STRIPE_SECRET_KEY: "sk_test_of_the_examples",
  STRIPE_WEBHOOK_SECRET: stripe.secret,
  STRIPE_API_URL: stripe.url,
  MAIL_FROM: "shop@example.com",
  WEBHOOK_LOCALHOST: "true",
  CHECKOUT_RETURN_URL: "https://shop.example/orders/{reference}",
};

const checkout = await aCheckout();
try {
  const lines = Object.entries({ ...(await newSecrets()), ...vars }).map(([name, value]) => `${name}='${value}'\n`);
  writeFileSync(join(checkout.folder, ".dev.vars"), lines.join(""));
  const shop = shopAt(await checkout.start(), await readDocument("."));
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
  await beRefused(shop, admin, key, bought.order);
  writeFileSync(EXAMPLES, `${JSON.stringify(shop.recorded, null, 1)}\n`);
} finally {
  await checkout.kill();
  checkout.remove();
  stripe.close();
}
