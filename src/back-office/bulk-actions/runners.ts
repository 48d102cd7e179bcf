import { onFirstUse } from "../../platform/http/on-first-use.ts";

/** Runners for this folder's job kinds. */
export const bulkRunners = {
  change_products: onFirstUse(async () => (await import("./change-products.ts")).changeProducts),
  change_customers: onFirstUse(async () => (await import("./change-customers.ts")).changeCustomers),
  adjust_stock: onFirstUse(async () => (await import("./adjust-stock.ts")).stockAdjustment),
  change_orders: onFirstUse(async () => (await import("./change-orders.ts")).changeOrders),
};
