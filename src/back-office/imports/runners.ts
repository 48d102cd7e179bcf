import { onFirstUse } from "../../platform/http/on-first-use.ts";

/** Runners for this folder's job kinds. */
export const importRunners = {
  check_products: onFirstUse(async () => (await import("./products/runner.ts")).checkProducts),
  import_products: onFirstUse(async () => (await import("./products/runner.ts")).importProducts),
  check_customers: onFirstUse(async () => (await import("./customers/runner.ts")).checkCustomers),
  import_customers: onFirstUse(async () => (await import("./customers/runner.ts")).importCustomers),
};
