import type { Shop } from "./shop.ts";

export async function manageDiscounts(shop: Shop, admin: string) {
  const as = admin;
  const welcome = await shop.record("createDiscount", {
    as,
    body: {
      name: "Welcome",
      code: "welcome10",
      kind: "percentage",
      percent: 10,
      first_order_only: true,
      max_uses: 500,
    },
  });
  const about = { as, path: { id: welcome.id } };
  await shop.record("listDiscounts", { as, query: { state: "active", per_page: "1" } });
  await shop.record("getDiscount", about);
  await shop.record("listDiscountRedemptions", { ...about, query: { per_page: "1" } });
  await shop.record("updateDiscount", { ...about, body: { minimum_subtotal: 25, ends_at: "2027-01-31T23:00:00Z" } });
  await shop.record("deleteDiscount", about);
}
