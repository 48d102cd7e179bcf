import type { MiddlewareHandler } from "hono";
import { apiKeysAdmin } from "../api-keys/admin-routes.ts";
import { auditAdmin } from "../audit/admin-routes.ts";
import { authenticate } from "../auth/authenticate.ts";
import { bulkActionsAdmin } from "../bulk-actions/admin-routes.ts";
import { purgeCatalogueCache } from "../catalogue-cache/middleware.ts";
import { categoriesAdmin } from "../categories/admin-routes.ts";
import { database } from "../db/bookmark.ts";
import { discountsAdmin } from "../discounts/admin-routes.ts";
import { eventsAdmin } from "../events/admin-routes.ts";
import { exportsAdmin } from "../exports/admin-routes.ts";
import { filesAdmin } from "../files/admin-routes.ts";
import { uploadsAdmin } from "../files/multipart-upload-routes.ts";
import { jsonBodies, jsonLimit, plainBodies } from "../http/body-parsing.ts";
import { imagesAdmin } from "../images/admin-routes.ts";
import { importsAdmin } from "../imports/admin-routes.ts";
import { jobsAdmin } from "../jobs/admin-routes.ts";
import { ordersAdmin } from "../orders/admin-routes.ts";
import { orderNotesAdmin } from "../orders/notes/admin-routes.ts";
import { packagesAdmin } from "../packages/admin-routes.ts";
import { personalDataAdmin } from "../personal-data/admin-routes.ts";
import { presetsAdmin } from "../presets/admin-routes.ts";
import { productsAdmin } from "../products/admin-routes.ts";
import { salesAdmin } from "../sales/admin-routes.ts";
import { savedViewsAdmin } from "../saved-views/admin-routes.ts";
import { searchAdmin } from "../search/admin-routes.ts";
import { methodsAdmin } from "../shipping/methods/admin-routes.ts";
import { zonesAdmin } from "../shipping/zones/admin-routes.ts";
import { shopAdmin } from "../shop/admin-routes.ts";
import { taxesAdmin } from "../taxes/admin-routes.ts";
import { transactionsAdmin } from "../transactions/admin-routes.ts";
import { usersAdmin } from "../users/admin-routes.ts";
import { twoFactorAdmin } from "../users/two-factor/admin-routes.ts";
import { webhooksAdmin } from "../webhooks/admin-routes.ts";
import { deliveriesAdmin } from "../webhooks/delivery-routes.ts";
import { followWrites } from "./follow-events.ts";
import { newApi } from "./new-app.ts";

/** Routes whose bodies carry a file: they parse and limit their bodies themselves. */
const CARRIES_A_FILE =
  /^\/api\/v1\/admin\/(images|files(\/[^/]+\/versions)?|imports\/(products|customers)|uploads\/[^/]+\/parts\/[^/]+)$/;
const ofFields =
  (middleware: MiddlewareHandler): MiddlewareHandler =>
  (c, next) =>
    CARRIES_A_FILE.test(c.req.path) ? next() : middleware(c, next);

/** The administrator's API. */
export const administration = newApi();

administration.use(
  authenticate,
  plainBodies,
  ofFields(jsonLimit),
  ofFields(jsonBodies),
  database,
  followWrites,
  purgeCatalogueCache,
);
administration.route("/api/v1/admin", searchAdmin);
administration.route("/api/v1/admin", savedViewsAdmin);
administration.route("/api/v1/admin", bulkActionsAdmin);
administration.route("/api/v1/admin", productsAdmin);
administration.route("/api/v1/admin", imagesAdmin);
administration.route("/api/v1/admin", categoriesAdmin);
administration.route("/api/v1/admin", discountsAdmin);
administration.route("/api/v1/admin", ordersAdmin);
administration.route("/api/v1/admin", orderNotesAdmin);
administration.route("/api/v1/admin", salesAdmin);
administration.route("/api/v1/admin", transactionsAdmin);
administration.route("/api/v1/admin", usersAdmin);
administration.route("/api/v1/admin", twoFactorAdmin);
administration.route("/api/v1/admin", personalDataAdmin);
administration.route("/api/v1/admin", uploadsAdmin);
administration.route("/api/v1/admin", filesAdmin);
administration.route("/api/v1/admin", packagesAdmin);
administration.route("/api/v1/admin", exportsAdmin);
administration.route("/api/v1/admin", importsAdmin);
administration.route("/api/v1/admin", jobsAdmin);
administration.route("/api/v1/admin", shopAdmin);
administration.route("/api/v1/admin", presetsAdmin);
administration.route("/api/v1/admin", zonesAdmin);
administration.route("/api/v1/admin", methodsAdmin);
administration.route("/api/v1/admin", taxesAdmin);
administration.route("/api/v1/admin", auditAdmin);
administration.route("/api/v1/admin", eventsAdmin);
administration.route("/api/v1/admin", apiKeysAdmin);
administration.route("/api/v1/admin", webhooksAdmin);
administration.route("/api/v1/admin", deliveriesAdmin);
