import { discounts, products } from "./catalogue.ts";
import { files, packages } from "./downloads.ts";
import type { AdminEndpoints } from "./endpoint.ts";
import { jobs, records, settings, webhooks } from "./operation.ts";
import { orders } from "./orders.ts";
import { apiKeys, savedViews, staff, users } from "./people.ts";

/** Every route below /api/v1/admin. */
export const adminEndpoints: AdminEndpoints = {
  ...apiKeys,
  ...records,
  ...discounts,
  ...files,
  ...jobs,
  ...orders,
  ...packages,
  ...products,
  ...savedViews,
  ...settings,
  ...staff,
  ...users,
  ...webhooks,
};
