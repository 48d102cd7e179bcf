import { env } from "cloudflare:workers";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { buy, moneyOf } from "../payments/support/shop.ts";
import { payByStripe, stripeAccount, stripeEvent, tellStripe } from "../payments/support/stripe.ts";
import { call } from "../support/call.ts";
import { placeOrder, userNow } from "../support/orders.ts";
import { aProduct, aUser, orderOf } from "../support/shop.ts";

const run = (sql: string, ...values: unknown[]) =>
  env.DB.prepare(sql)
    .bind(...values)
    .run();

const placed = async (wallet: number, price: number) =>
  placeOrder({ buyer: await aUser({ wallet }), product: await aProduct({ price }) });

describe("the database", () => {
  it("charges orders that are paid at once, and refuses them if the wallet is short", async () => {
    const { user, id } = await placed(3000, 1000);
    const copyOrder = (reference: string, total: number) =>
      run(
        `INSERT INTO orders (reference, number, sequence, user_id, status, payment_status, fulfillment_status, currency, subtotal, total, payment_method,
           paid_at, shipping_address, created_at, updated_at, updated_by)
         SELECT ?1, next.prefix || next.sequence, next.sequence, user_id, status, payment_status, fulfillment_status, currency, ?2, ?2, payment_method,
           paid_at, shipping_address, created_at, updated_at, updated_by FROM orders JOIN next_order_number AS next WHERE id = ?3`,
        reference,
        total,
        id,
      );
    const copyLine = (reference: string, lineId: number | null = null) =>
      run(
        `INSERT INTO order_items (id, order_id, product_id, name, sku, type, requires_shipping, quantity, unit_price, total)
         SELECT ?1, (SELECT id FROM orders WHERE reference = ?2), product_id, name, sku, type, requires_shipping, quantity, unit_price, total
         FROM order_items WHERE order_id = ?3`,
        lineId,
        reference,
        id,
      );
    await copyOrder("DEAR", 2001);
    await expect(copyLine("DEAR")).rejects.toThrow(/wallet_covers_charge/);
    await copyOrder("CHEAP", 1500);
    await copyLine("CHEAP", 1_000_000);
    expect((await userNow(user.id))?.walletBalance).toBe(500);
    await copyLine("CHEAP", 999_999);
    expect((await userNow(user.id))?.walletBalance, "after a line before it").toBe(500);
  });

  it("changes a balance by the latest row of the ledger, and by nothing else", async () => {
    const [{ user }, other] = [await placed(3000, 1000), await aUser({ wallet: 700 })];
    for (const balance of [2000, 3000, 700]) {
      const moved = run("UPDATE users SET wallet_balance = ? WHERE id = ?", balance, user.id);
      await expect(moved, String(balance)).rejects.toThrow(/wallet_ledger_mismatch/);
    }
    const entry = (userId: number | null, after: number) =>
      run(
        `INSERT INTO transactions (user_id, kind, method, amount, balance_after, created_at)
         VALUES (?, 'credit', 'wallet', 100, ?, 0)`,
        userId,
        after,
      );
    await expect(entry(other.id, 900)).rejects.toThrow(/wallet_ledger_mismatch/);
    await expect(entry(null, 100)).rejects.toThrow(/wallet_ledger_mismatch/);
    await entry(other.id, 800);
    expect((await userNow(other.id))?.walletBalance).toBe(800);
  });

  it.each([
    ["product_unavailable", "UPDATE products SET status = 'draft' WHERE id = ?1"],
    ["price_changed", "UPDATE products SET price = price + 1 WHERE id = ?1"],
    ["shipping_address_required", "UPDATE orders SET shipping_address = NULL WHERE id = ?2"],
    ["stock_not_negative", "UPDATE products SET stock_quantity = 0 WHERE id = ?1"],
  ])("refuses a line item by %s", async (rule, change) => {
    const { product, id } = await placed(3000, 1000);
    const line = env.DB.prepare(
      `INSERT INTO order_items (order_id, product_id, name, sku, type, requires_shipping, quantity, unit_price, total)
       SELECT order_id, product_id, name, sku, type, requires_shipping, quantity, unit_price, total
       FROM order_items WHERE order_id = ?`,
    ).bind(id);
    const changed = change.includes("?2")
      ? env.DB.prepare(change.replace("?2", "?")).bind(id)
      : env.DB.prepare(change).bind(product.id);
    await expect(env.DB.batch([changed, line])).rejects.toThrow(new RegExp(rule));
  });
});

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
