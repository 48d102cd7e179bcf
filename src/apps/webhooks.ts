import { authenticate } from "../auth/authenticate.ts";
import { database } from "../db/bookmark.ts";
import { jsonLimit, plainBodies } from "../http/body-parsing.ts";
import { webhooks as routes } from "../payments/routes.ts";
import { followWrites } from "./follow-events.ts";
import { newApi } from "./new-app.ts";

/** Webhooks of the payment providers. */
export const webhooks = newApi();

webhooks.use(authenticate, plainBodies, jsonLimit, database, followWrites);
webhooks.route("/api/v1/webhooks", routes);
