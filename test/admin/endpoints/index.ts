import { apiKeys } from "./api-keys.ts";
import { audit } from "./audit.ts";
import { bulkActions } from "./bulk-actions.ts";
import { discounts } from "./discounts.ts";
import type { AdminEndpoints } from "./endpoint.ts";
import { events } from "./events.ts";
import { exports } from "./exports.ts";
import { files } from "./files.ts";
import { giftCards } from "./gift-cards.ts";
import { jobs } from "./jobs.ts";
import { licenseKeys } from "./license-keys.ts";
import { orders } from "./orders.ts";
import { packages } from "./packages.ts";
import { products } from "./products.ts";
import { savedViews } from "./saved-views.ts";
import { search } from "./search.ts";
import { settings } from "./settings.ts";
import { staff } from "./staff.ts";
import { subscriptions } from "./subscriptions.ts";
import { users } from "./users.ts";
import { webhooks } from "./webhooks.ts";

/** Every route below /api/v1/admin. */
export const adminEndpoints: AdminEndpoints = {
  ...apiKeys,
  ...audit,
  ...bulkActions,
  ...discounts,
  ...events,
  ...exports,
  ...files,
  ...giftCards,
  ...jobs,
  ...licenseKeys,
  ...orders,
  ...packages,
  ...products,
  ...savedViews,
  ...search,
  ...settings,
  ...staff,
  ...subscriptions,
  ...users,
  ...webhooks,
};
