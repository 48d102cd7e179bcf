import { paymentWebhookRoutes } from "../checkout/payments/routes.ts";
import { authenticate } from "../platform/auth/authenticate.ts";
import { database } from "../platform/db/client.ts";
import { jsonLimit, plainBodies } from "../platform/http/body-parsing.ts";
import { followWrites } from "./follow-events.ts";
import { newApi } from "./new-app.ts";

/** The webhooks that payment providers call. The shop's own webhooks are in src/integrations/webhooks. */
export const paymentWebhookApp = newApi();

paymentWebhookApp.use(authenticate, plainBodies, jsonLimit, database, followWrites);
paymentWebhookApp.route("/api/v1/webhooks", paymentWebhookRoutes);
