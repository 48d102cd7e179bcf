import type { Shop } from "./shop.ts";

/** The discount of the demo shop. */
const WELCOME = 1;

export async function manageDiscounts(shop: Shop): Promise<void> {
  await shop.record("listDiscounts", { query: { state: "active", per_page: "1" } });
  const { id } = await shop.record("createDiscount", {
    body: {
      name: "First order",
      code: "first10",
      kind: "percentage",
      percent: 10,
      first_order_only: true,
      max_uses: 500,
    },
  });
  const about = { path: { id } };
  await shop.record("getDiscount", about);
  await shop.record("updateDiscount", { ...about, body: { minimum_subtotal: 25, ends_at: "2035-01-31T23:00:00Z" } });
  await shop.record("listDiscountRedemptions", { path: { id: WELCOME }, query: { per_page: "1" } });
  await shop.record("deleteDiscount", about);
}
