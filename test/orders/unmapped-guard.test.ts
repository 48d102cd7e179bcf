import { env } from "cloudflare:workers";
import { expect, it, onTestFinished, vi } from "vitest";
import { buy, moneyOf } from "../payments/support/shop.ts";
import { payByStripe, stripeAccount, stripeEvent, tellStripe } from "../payments/support/stripe.ts";
import { call } from "../support/call.ts";
import { aProduct, aUser, orderOf } from "../support/shop.ts";

const STRIPE = stripeAccount("unmapped");

/** Sends a request while a guard without an error refuses it. Returns the answer and what was logged. */
async function withGuard<Answer>(moment: string, ask: () => Promise<Answer>): Promise<[Answer, string]> {
  const logged = vi.spyOn(console, "error").mockReturnValue();
  onTestFinished(() => void vi.restoreAllMocks());
  await env.DB.prepare(
    `CREATE TRIGGER orders_unforeseen BEFORE ${moment} ON orders BEGIN SELECT RAISE(ABORT, 'unforeseen_rule'); END`,
  ).run();
  const answer = await ask();
  await env.DB.prepare("DROP TRIGGER orders_unforeseen").run();
  return [answer, logged.mock.calls.join("\n")];
}

it("answers 500 and logs the name of a guard without an error", async () => {
  const [product, user] = [await aProduct(), await aUser({ wallet: 100_000 })];
  const order = () => call("POST /orders", { as: user.token, body: orderOf(product) });
  const [{ status, body }, lines] = await withGuard("INSERT", order);
  expect([status, body.code]).toEqual([500, "internal_error"]);
  expect(JSON.stringify(body)).not.toContain("unforeseen_rule");
  expect(lines).toContain("unforeseen_rule");
});

it("returns a payment that such a guard refuses, and logs the guard's name", async () => {
  const { order } = await buy(STRIPE);
  const [{ status }, lines] = await withGuard("UPDATE OF paid_at", () => payByStripe(STRIPE, order));
  expect(status).toBe(200);
  expect((await moneyOf(order.id)).map(({ amount }) => amount)).toEqual([-1999, 1999]);
  expect(lines).toContain("unforeseen_rule");
});

it("logs nothing when a payment comes for an order that was paid", async () => {
  const { order } = await buy(STRIPE);
  await payByStripe(STRIPE, order);
  const logged = vi.spyOn(console, "error").mockReturnValue();
  onTestFinished(() => void vi.restoreAllMocks());
  const payment_intent = `pi_second_${order.reference}`;
  await tellStripe(STRIPE, { payload: stripeEvent("completed", { order, payment_intent }) });
  expect((await moneyOf(order.id)).map(({ amount }) => amount)).toEqual([-1999, -1999, 1999]);
  expect(logged.mock.calls).toEqual([]);
});
