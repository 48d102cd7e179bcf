import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { call } from "../support/call.ts";
import { userNow } from "../support/orders.ts";
import { aProduct, aUser, orderOf } from "../support/shop.ts";

const run = (sql: string, ...values: unknown[]) =>
  env.DB.prepare(sql)
    .bind(...values)
    .run();

const placed = async (wallet: number, price: number) => {
  const [user, product] = [await aUser({ wallet }), await aProduct({ price })];
  const { id } = (await call("POST /orders", { as: user.token, body: orderOf(product) })).body.data;
  return { user, product, id: Number(id) };
};

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
