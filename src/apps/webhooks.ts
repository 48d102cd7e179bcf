import { identify } from "../auth/identify.ts";
import { database } from "../bookmark.ts";
import { jsonLimit, plainBodies } from "../http/manners.ts";
import { webhooks as routes } from "../orders/payments/routes.ts";
import { newApi, settings } from "./new-app.ts";

/** What payment providers tell us. */
export const webhooks = newApi();

webhooks.use(settings, identify, plainBodies, jsonLimit, database);
webhooks.route("/api/v1/webhooks", routes);
