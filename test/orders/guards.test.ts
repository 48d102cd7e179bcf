import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { call } from "../support/call.ts";
import { productNow, userNow } from "../support/orders.ts";
import { aFile, aProduct, aUser, orderOf } from "../support/shop.ts";

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
  it("charges whatever begins as paid, and refuses it when the wallet does not hold it", async () => {
    const { user, id } = await placed(3000, 1000);
    const copy = (number: string, total: number) =>
      run(
        `INSERT INTO orders (number, user_id, status, payment_status, fulfillment_status, currency, subtotal, total, payment_method,
           paid_at, created_at, updated_at, updated_by)
         SELECT ?1, user_id, status, payment_status, fulfillment_status, currency, ?2, ?2, payment_method,
           paid_at, created_at, updated_at, updated_by FROM orders WHERE id = ?3`,
        number,
        total,
        id,
      );
    await expect(copy("DEAR", 2001)).rejects.toThrow(/wallet_covers_charge/);
    await copy("CHEAP", 1500);
    expect((await userNow(user.id))?.walletBalance).toBe(500);
  });

  it("moves a balance by the latest row of the ledger, and by nothing else", async () => {
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
  ])("refuses a line by %s", async (rule, change) => {
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

  it("charges and grants once for an order that is written step by step, as earlier versions of the Worker do", async () => {
    const [user, file] = [await aUser({ wallet: 3000 }), await aFile({ access: "package" })];
    const product = await aProduct({ type: "digital", stock: 5, fileIds: [file.id] });
    const order = "(SELECT id FROM orders WHERE number = 'STEPS')";
    await env.DB.batch([
      env.DB.prepare(
        `INSERT INTO orders (number, user_id, status, payment_status, fulfillment_status, currency, subtotal, total, payment_method,
           created_at, updated_at, updated_by)
         VALUES ('STEPS', ?1, 'pending', 'unpaid', 'not_required', 'USD', 2000, 2000, 'wallet', 5, 5, 'user:' || ?1)`,
      ).bind(user.id),
      env.DB.prepare(
        `INSERT INTO order_items (order_id, product_id, name, sku, type, requires_shipping, quantity, unit_price, total)
         SELECT ${order}, id, name, sku, type, requires_shipping, 2, price, 2 * price FROM products WHERE id = ?`,
      ).bind(product.id),
      env.DB.prepare(
        `INSERT INTO transactions (user_id, order_id, kind, method, amount, balance_after, created_at)
         SELECT id, ${order}, 'charge', 'wallet', -2000, wallet_balance - 2000, 6 FROM users WHERE id = ?`,
      ).bind(user.id),
      env.DB.prepare(
        `UPDATE orders SET status = 'completed', payment_status = 'paid', paid_at = 6, updated_at = 6 WHERE number = 'STEPS'`,
      ),
      env.DB.prepare(
        `INSERT INTO packages (user_id, order_id, order_item_id, unit, name, starts_at)
         SELECT ?, order_id, order_items.id, value, name, 6 FROM order_items JOIN json_each('[1, 2]') WHERE order_id = ${order}`,
      ).bind(user.id),
      env.DB.prepare(
        `INSERT INTO package_files (package_id, file_id) SELECT id, ? FROM packages WHERE order_id = ${order}`,
      ).bind(file.id),
    ]);
    expect((await userNow(user.id))?.walletBalance).toBe(1000);
    const granted = await run(
      `SELECT unit, file_id FROM packages JOIN package_files ON package_id = packages.id WHERE order_id = ${order} ORDER BY unit`,
    );
    expect(granted.results).toEqual([1, 2].map((unit) => ({ unit, file_id: file.id })));
    expect((await productNow(product.id))?.stockQuantity).toBe(3);
  });
});
