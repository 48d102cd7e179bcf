import type { Shop } from "./shop.ts";

/** Sells the font to a guest, whose software asks about its license key, and manages the key of an order that staff placed. */
export async function sellLicenses(shop: Shop, font: number, order: number): Promise<void> {
  const { admin } = shop.tokens;
  const key = shop.access.api_keys.standard;
  const customer = { email: "kit@example.com", name: "Kit Typesetter" };
  const body = { items: [{ product_id: font, quantity: 1, price: 12 }], customer, payment_method: "paypal" };
  const bought = await shop.ask("createOrder", { as: key, body });
  await shop.ask("updateOrder", { as: admin, path: { id: bought.id }, body: { payment_status: "paid" } });
  const [issued] = await shop.record("listMyLicenseKeys", { as: key, query: { order_id: String(bought.id) } });
  const instance = { license_key: issued.key, instance_id: "studio-mac" };
  await shop.record("activateLicense", { body: { ...instance, instance_name: "Mac in the studio" } });
  await shop.record("validateLicense", { body: instance });
  await shop.record("deactivateLicense", { body: instance });

  const ofOrder = { as: admin, query: { order_id: String(order) } };
  const [managed] = await shop.record("adminListLicenseKeys", ofOrder);
  const it = { as: admin, path: { id: managed.id } };
  await shop.record("getLicenseKey", it);
  await shop.record("updateLicenseKey", { ...it, body: { activation_limit: 5, expires_at: "2040-02-01T00:00:00Z" } });
  await shop.record("clearLicenseActivations", it);
  await shop.record("revokeLicenseKey", it);
}
