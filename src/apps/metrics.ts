import { metricsRoutes } from "../back-office/metrics/routes.ts";
import { authenticate } from "../platform/auth/authenticate.ts";
import { database } from "../platform/db/client.ts";
import { newApi } from "./new-app.ts";

/** Metrics for monitoring systems. */
export const metricsApp = newApi();

metricsApp.use(authenticate, database);
metricsApp.route("/", metricsRoutes);
