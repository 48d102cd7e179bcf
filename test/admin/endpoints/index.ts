import { apiKeys } from "./api-keys.ts";
import { audit } from "./audit.ts";
import { discounts } from "./discounts.ts";
import type { AdminEndpoints } from "./endpoint.ts";
import { events } from "./events.ts";
import { files } from "./files.ts";
import { orders } from "./orders.ts";
import { packages } from "./packages.ts";
import { products } from "./products.ts";
import { settings } from "./settings.ts";
import { users } from "./users.ts";
import { webhooks } from "./webhooks.ts";

/** Every route below /api/v1/admin. */
export const adminEndpoints: AdminEndpoints = {
  ...apiKeys,
  ...audit,
  ...discounts,
  ...events,
  ...files,
  ...orders,
  ...packages,
  ...products,
  ...settings,
  ...users,
  ...webhooks,
};
