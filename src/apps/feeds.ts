import { feedRoutes } from "../back-office/feeds/routes.ts";
import { database } from "../platform/db/client.ts";
import { newApi, settings } from "./new-app.ts";

/** Product feeds at secret addresses. */
export const feedApp = newApi();

feedApp.use(settings, database);
feedApp.route("/", feedRoutes);
