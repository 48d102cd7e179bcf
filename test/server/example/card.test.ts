import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import Stripe from "stripe";
import { inject } from "vitest";
import { stripeHandlers } from "../../payments/stand-in/stripe.ts";
import { LONG } from "../../support/long.ts";
import { it as browserIt } from "../browser/it.ts";
import { look } from "../browser/look.ts";
import { aCheckout, freePort } from "../checkout.ts";
import { addToCart, fillAddress, shopperAt, signIn, told } from "./example.ts";
import { openExample } from "./open.ts";

const WEBHOOK_SECRET = "whsec_example";

/** A shop with Stripe switched on, a stand-in for Stripe, and the example in front of it. */
const it = browserIt.extend("cardShop", { scope: "file" }, async ({ browser: _browser }, { onCleanup }) => {
  const port = await freePort();
  const stripe = await aStripe();
  const checkout = await aCheckout(inject("state"));
  const vars = {
    STRIPE_SECRET_KEY: "sk_test_example",
    STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
    STRIPE_API_URL: stripe.url,
    CHECKOUT_RETURN_URL: `http://localhost:${port}/orders/return/{number}`,
  };
  const lines = Object.entries(vars).map(([name, value]) => `${name}='${value}'\n`);
  appendFileSync(join(checkout.folder, ".dev.vars"), lines.join(""));
  const config = join(checkout.folder, "examples/storefront/wrangler.toml");
  const enabled = readFileSync(config, "utf8").replace('PAYMENT_METHODS = ""', 'PAYMENT_METHODS = "credit_card"');
  writeFileSync(config, enabled);
  const shop = await checkout.start();
  const example = await openExample(shop, port);
  onCleanup(async () => {
    example.close();
    await checkout.kill();
    checkout.remove();
    stripe.close();
  });
  return { ...shop, example: example.baseURL };
});

it("takes a guest to the payment page and back to an order that is paid", LONG, async ({ cardShop, aPage }) => {
  const page = await aPage({ ...shopperAt(cardShop.example) });
  await page.route("https://checkout.stripe.test/**", (route) =>
    route.fulfill({
      contentType: "text/html",
      body: "<!doctype html><html lang=en><title>Pay</title><h1>Pay here</h1>",
    }),
  );
  await addToCart(page, "wrist strap", "Rope Wrist Strap");
  await page.getByRole("link", { name: "To the checkout" }).click();
  await page.getByRole("radio", { name: "Card" }).waitFor();
  await page.getByLabel("E-mail").fill(`${crypto.randomUUID()}@guest.example`);
  await fillAddress(page, "Greta Guest");
  await look(page, "example-checkout-card");
  await page.getByRole("button", { name: "Order and pay" }).click();
  await page.getByRole("heading", { name: "Pay here" }).waitFor();

  // Whoever leaves the payment page finds the order waiting, and the way back to it.
  await page.goto(`${cardShop.example}/orders`);
  await page.getByText("Waiting for payment").waitFor();
  const number = (await page.locator(".line a").textContent()) ?? "";
  await page.getByRole("link", { name: number }).click();
  await look(page, "example-order-to-pay");
  await page.getByRole("link", { name: "Pay $22.00" }).click();
  await page.getByRole("heading", { name: "Pay here" }).waitFor();

  await payAtStripe(cardShop.base_url, number);
  await page.goto(`${cardShop.example}/orders/return/${number}`);
  await told(page, "As soon as your payment is confirmed");
  await page.getByText("Paid on").waitFor();
  await look(page, "example-order-paid-by-card");
});

it("offers the wallet that covers an order first, and a card beside it", async ({ cardShop, aPage }) => {
  const page = await aPage({ ...shopperAt(cardShop.example) });
  await addToCart(page, "tripod", "Ash Travel Tripod");
  await page.goto("/sign-in?next=/checkout");
  await signIn(page, cardShop.customer);
  await page.getByRole("radio", { name: "Wallet", checked: true }).waitFor();
  await page.getByRole("radio", { name: "Card", checked: false }).waitFor();
  await look(page, "example-checkout-wallet-or-card");
});

async function aStripe(): Promise<{ url: string; close: () => void }> {
  const server = createServer(async (request, response) => {
    const sent = { line: `${request.method} ${request.url}`, headers: request.headers, body: await text(request) };
    const { status, body } = stripeHandlers[sent.line]?.(sent, []) ?? { status: 404, body: {} };
    response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
  });
  const port = await freePort();
  await new Promise<void>((ready) => server.listen(port, "127.0.0.1", ready));
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${port}`, close };
}

/** Tells the shop, as Stripe does, that the buyer has paid. */
async function payAtStripe(baseUrl: string, order_number: string): Promise<void> {
  const session = {
    object: "checkout.session",
    payment_status: "paid",
    payment_intent: `pi_${order_number}`,
    amount_total: 2200,
    currency: "usd",
    client_reference_id: order_number,
    metadata: { order_number },
  };
  const payload = JSON.stringify({
    id: `evt_${order_number}`,
    object: "event",
    type: "checkout.session.completed",
    data: { object: session },
  });
  const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret: WEBHOOK_SECRET });
  const response = await fetch(`${baseUrl}/api/v1/webhooks/stripe`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "Stripe-Signature": signature },
    body: payload,
  });
  if (!response.ok) throw new Error(`The shop answered Stripe with ${response.status}`);
}
