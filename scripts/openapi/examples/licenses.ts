import type { Shop } from "./shop.ts";

/** Sells a license key to a guest, whose software asks about it. */
export async function sellLicenses(shop: Shop): Promise<void> {
  const { admin } = shop.tokens;
  const key = shop.access.api_keys.standard;
  const license = { prefix: "FONT", activation_limit: 2, update_days: 365 };
  const product = { name: "Harbour Sans", sku: "FONT-1", type: "digital", price: 0, status: "active", license };
  const { id: product_id, price } = await shop.ask("createProduct", { as: admin, body: product });
  const customer = { email: "kit@example.com", name: "Kit Typesetter" };
  const body = { items: [{ product_id, quantity: 1, price }], customer, payment_method: "paypal" };
  const order = await shop.ask("createOrder", { as: key, body });
  const [issued] = await shop.record("listMyLicenseKeys", { as: key, query: { order_id: String(order.id) } });
  const instance = { license_key: issued.key, instance_id: "studio-mac" };
  await shop.record("activateLicense", { body: { ...instance, instance_name: "Mac in the studio" } });
  await shop.record("validateLicense", { body: instance });
  await shop.record("deactivateLicense", { body: instance });

  const it = { as: admin, path: { id: issued.id } };
  await shop.record("adminListLicenseKeys", { as: admin, query: { order_id: String(order.id) } });
  await shop.record("getLicenseKey", it);
  await shop.record("updateLicenseKey", { ...it, body: { activation_limit: 5, expires_at: "2040-02-01T00:00:00Z" } });
  await shop.record("clearLicenseActivations", it);
  await shop.record("revokeLicenseKey", it);
}
