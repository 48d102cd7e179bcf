import type { Shop } from "./shop.ts";

export async function exportLists(shop: Shop, as: string): Promise<void> {
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
    await shop.record(`export${list}`, { as, path });
  }
  await shop.record("exportInvoiceFiles", { as });
}
