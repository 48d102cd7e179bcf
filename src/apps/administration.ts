import type { MiddlewareHandler } from "hono";
import { personalDataAdmin } from "../accounts/personal-data/admin-routes.ts";
import { twoFactorAdmin, usersAdmin } from "../accounts/users/admin-routes.ts";
import { notesOnCustomers } from "../accounts/users/notes.ts";
import { staffAdmin } from "../accounts/users/staff/admin-routes.ts";
import { backupsAdmin } from "../back-office/backups/admin-routes.ts";
import { bulkActionsAdmin } from "../back-office/bulk-actions/admin-routes.ts";
import { exportsAdmin } from "../back-office/exports/admin-routes.ts";
import { feedAddressAdmin } from "../back-office/feeds/admin-routes.ts";
import { feedResource } from "../back-office/feeds/feeds.ts";
import { healthAdmin } from "../back-office/health/admin-routes.ts";
import { importsAdmin } from "../back-office/imports/admin-routes.ts";
import { presetsAdmin } from "../back-office/presets/admin-routes.ts";
import { salesAdmin } from "../back-office/sales/admin-routes.ts";
import { savedViewsAdmin } from "../back-office/saved-views/admin-routes.ts";
import { searchAdmin } from "../back-office/search/admin-routes.ts";
import { shopAdmin } from "../back-office/shop/admin-routes.ts";
import { categoryResource } from "../catalogue/categories/categories.ts";
import { imagesAdmin } from "../catalogue/images/admin-routes.ts";
import { pagesAdmin } from "../catalogue/pages/admin-routes.ts";
import { productsAdmin } from "../catalogue/products/admin-routes.ts";
import { discountsAdmin } from "../checkout/discounts/admin-routes.ts";
import { giftCardsAdmin } from "../checkout/gift-cards/admin-routes.ts";
import { invoicesAdmin } from "../checkout/invoices/admin-routes.ts";
import { ordersAdmin } from "../checkout/orders/admin-routes.ts";
import { draftOrdersAdmin } from "../checkout/orders/drafts/admin-routes.ts";
import { notesOnOrders } from "../checkout/orders/notes.ts";
import { returnsAdmin } from "../checkout/orders/returns/admin-routes.ts";
import { paymentAccountsAdmin } from "../checkout/payments/account-routes.ts";
import { paymentSettingsAdmin } from "../checkout/payments/admin-routes.ts";
import { shippingMethodResource } from "../checkout/shipping/methods.ts";
import { shippingZoneResource } from "../checkout/shipping/zones.ts";
import { subscriptionsAdmin } from "../checkout/subscriptions/admin-routes.ts";
import { taxRateResource } from "../checkout/taxes/tax-rates.ts";
import { transactionsAdmin } from "../checkout/transactions/admin-routes.ts";
import { filesAdmin } from "../downloads/files/admin-routes.ts";
import { uploadsAdmin } from "../downloads/files/uploads/routes.ts";
import { licenseKeysAdmin } from "../downloads/license-keys/admin-routes.ts";
import { packagesAdmin } from "../downloads/packages/admin-routes.ts";
import { agentsAdmin } from "../integrations/agents/admin-routes.ts";
import { apiKeysAdmin } from "../integrations/api-keys/admin-routes.ts";
import { eventsAdmin } from "../integrations/events/admin-routes.ts";
import { deliveriesAdmin, webhooksAdmin } from "../integrations/webhooks/admin-routes.ts";
import { resourceRoutes } from "../platform/administration/resource-routes.ts";
import { auditAdmin } from "../platform/audit/admin-routes.ts";
import { authenticate, authenticateLateBody } from "../platform/auth/authenticate.ts";
import { purgeCatalogueCache } from "../platform/catalogue-cache/middleware.ts";
import { database } from "../platform/db/client.ts";
import { emailTextsAdmin } from "../platform/email/admin-routes.ts";
import { jsonBodies, jsonLimit, plainBodies } from "../platform/http/body-parsing.ts";
import { jobsAdmin } from "../platform/jobs/admin-routes.ts";
import { failedItemsAdmin } from "../platform/queues/admin-routes.ts";
import { apiVersion } from "./api-version.ts";
import { followWrites } from "./follow-events.ts";
import { newApi } from "./new-app.ts";
import { readStored } from "./read-stored.ts";

/** Routes with a file in the body. They parse and limit their bodies themselves. */
const CARRIES_A_FILE =
  /^\/api\/v1\/admin\/(images|files(\/[^/]+\/versions)?|imports\/(products|customers)|uploads\/[^/]+\/parts\/[^/]+)$/;
const ofFields =
  (middleware: MiddlewareHandler): MiddlewareHandler =>
  (c, next) =>
    CARRIES_A_FILE.test(c.req.path) ? next() : middleware(c, next);

export const administration = newApi();

administration.use(
  authenticate,
  plainBodies,
  ofFields(jsonLimit),
  ofFields(jsonBodies),
  ofFields(authenticateLateBody),
  apiVersion(),
  database,
  followWrites,
  purgeCatalogueCache,
  readStored(administration),
);
administration.route("/api/v1/admin", searchAdmin);
administration.route("/api/v1/admin", savedViewsAdmin);
administration.route("/api/v1/admin", bulkActionsAdmin);
administration.route("/api/v1/admin", productsAdmin);
administration.route("/api/v1/admin", imagesAdmin);
administration.route("/api/v1/admin", resourceRoutes(categoryResource));
administration.route("/api/v1/admin", discountsAdmin);
administration.route("/api/v1/admin", ordersAdmin);
administration.route("/api/v1/admin", invoicesAdmin);
administration.route("/api/v1/admin", draftOrdersAdmin);
administration.route("/api/v1/admin", returnsAdmin);
administration.route("/api/v1/admin", notesOnOrders.routes);
administration.route("/api/v1/admin", salesAdmin);
administration.route("/api/v1/admin", transactionsAdmin);
administration.route("/api/v1/admin", usersAdmin);
administration.route("/api/v1/admin", notesOnCustomers.routes);
administration.route("/api/v1/admin", staffAdmin);
administration.route("/api/v1/admin", twoFactorAdmin);
administration.route("/api/v1/admin", personalDataAdmin);
administration.route("/api/v1/admin", uploadsAdmin);
administration.route("/api/v1/admin", filesAdmin);
administration.route("/api/v1/admin", packagesAdmin);
administration.route("/api/v1/admin", licenseKeysAdmin);
administration.route("/api/v1/admin", giftCardsAdmin);
administration.route("/api/v1/admin", subscriptionsAdmin);
administration.route("/api/v1/admin", exportsAdmin);
administration.route("/api/v1/admin", importsAdmin);
administration.route("/api/v1/admin", jobsAdmin);
administration.route("/api/v1/admin", failedItemsAdmin);
administration.route("/api/v1/admin", backupsAdmin);
administration.route("/api/v1/admin", healthAdmin);
administration.route("/api/v1/admin", shopAdmin);
administration.route("/api/v1/admin", emailTextsAdmin);
administration.route("/api/v1/admin", pagesAdmin);
administration.route("/api/v1/admin", paymentSettingsAdmin);
administration.route("/api/v1/admin", paymentAccountsAdmin);
administration.route("/api/v1/admin", presetsAdmin);
administration.route("/api/v1/admin", resourceRoutes(shippingZoneResource));
administration.route("/api/v1/admin", resourceRoutes(shippingMethodResource));
administration.route("/api/v1/admin", resourceRoutes(taxRateResource));
administration.route("/api/v1/admin", resourceRoutes(feedResource));
administration.route("/api/v1/admin", feedAddressAdmin);
administration.route("/api/v1/admin", auditAdmin);
administration.route("/api/v1/admin", eventsAdmin);
administration.route("/api/v1/admin", agentsAdmin);
administration.route("/api/v1/admin", apiKeysAdmin);
administration.route("/api/v1/admin", webhooksAdmin);
administration.route("/api/v1/admin", deliveriesAdmin);
