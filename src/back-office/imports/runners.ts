import { onFirstUse } from "../../platform/http/on-first-use.ts";

/** How jobs of this folder's kinds are done. */
export const importRunners = {
  check_products: onFirstUse(async () => (await import("./products/runner.ts")).checkProducts),
  import_products: onFirstUse(async () => (await import("./products/runner.ts")).importProducts),
  check_customers: onFirstUse(async () => (await import("./customers/runner.ts")).checkCustomers),
  import_customers: onFirstUse(async () => (await import("./customers/runner.ts")).importCustomers),
};
