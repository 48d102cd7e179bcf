import type { Shop } from "./shop.ts";

export async function exportLists(shop: Shop): Promise<void> {
  const path = { format: "csv" };
  for (const list of [
    "Products",
    "Orders",
    "OrderLines",
    "Customers",
    "Transactions",
    "Invoices",
    "Files",
    "AuditLog",
  ]) {
    await shop.record(`export${list}`, { path });
  }
  await shop.record("exportInvoiceFiles");
}
