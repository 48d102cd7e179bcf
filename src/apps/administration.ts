import type { MiddlewareHandler } from "hono";
import { auditAdmin } from "../audit/admin-routes.ts";
import { apiKeysAdmin } from "../auth/api-keys/admin-routes.ts";
import { identify } from "../auth/identify.ts";
import { database } from "../bookmark.ts";
import { purgesCatalogue } from "../catalogue-cache/warm.ts";
import { categoriesAdmin } from "../categories/admin-routes.ts";
import { filesAdmin } from "../files/admin-routes.ts";
import { uploadsAdmin } from "../files/in-parts-routes.ts";
import { jsonBodies, jsonLimit, plainBodies } from "../http/manners.ts";
import { ordersAdmin } from "../orders/admin-routes.ts";
import { packagesAdmin } from "../packages/admin-routes.ts";
import { productsAdmin } from "../products/admin-routes.ts";
import { transactionsAdmin } from "../transactions/admin-routes.ts";
import { usersAdmin } from "../users/admin-routes.ts";
import { newApi, settings } from "./new-app.ts";

/** Bodies are short and JSON, but for those that carry a file's bytes: their routes say what they take, and how much. */
const CARRIES_A_FILE = /^\/api\/v1\/admin\/(files(\/[^/]+\/versions)?|uploads\/[^/]+\/parts\/[^/]+)$/;
const ofFields =
  (middleware: MiddlewareHandler): MiddlewareHandler =>
  (c, next) =>
    CARRIES_A_FILE.test(c.req.path) ? next() : middleware(c, next);

/** The administrator's API. */
export const administration = newApi();

administration.use(
  settings,
  identify,
  plainBodies,
  ofFields(jsonLimit),
  ofFields(jsonBodies),
  database,
  purgesCatalogue,
);
administration.route("/api/v1/admin", productsAdmin);
administration.route("/api/v1/admin", categoriesAdmin);
administration.route("/api/v1/admin", ordersAdmin);
administration.route("/api/v1/admin", transactionsAdmin);
administration.route("/api/v1/admin", usersAdmin);
administration.route("/api/v1/admin", uploadsAdmin);
administration.route("/api/v1/admin", filesAdmin);
administration.route("/api/v1/admin", packagesAdmin);
administration.route("/api/v1/admin", auditAdmin);
administration.route("/api/v1/admin", apiKeysAdmin);
