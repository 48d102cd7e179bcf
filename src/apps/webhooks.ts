import { paymentWebhookRoutes } from "../checkout/payments/routes.ts";
import { authenticate } from "../platform/auth/authenticate.ts";
import { database } from "../platform/db/client.ts";
import { jsonLimit, plainBodies } from "../platform/http/body-parsing.ts";
import { followWrites } from "./follow-events.ts";
import { newApi } from "./new-app.ts";

/** Webhooks of the payment providers. */
export const webhookApp = newApi();

webhookApp.use(authenticate, plainBodies, jsonLimit, database, followWrites);
webhookApp.route("/api/v1/webhooks", paymentWebhookRoutes);
