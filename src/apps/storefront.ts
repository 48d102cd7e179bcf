import { account } from "../account/routes.ts";
import { authenticate } from "../auth/authenticate.ts";
import { auth } from "../auth/routes.ts";
import { database } from "../bookmark.ts";
import { mergeGuestCart } from "../cart/merge.ts";
import { cart } from "../cart/routes.ts";
import { files } from "../files/routes.ts";
import { jsonBodies, jsonLimit, plainBodies } from "../http/body-parsing.ts";
import { orders } from "../orders/routes.ts";
import { packages } from "../packages/routes.ts";
import { transactions } from "../transactions/routes.ts";
import { newApi, settings } from "./new-app.ts";

/** The routes of shoppers, except for the catalogue. */
export const storefront = newApi();

storefront.use(settings, authenticate, plainBodies, jsonLimit, jsonBodies, database);
storefront.route("/api/v1/user", orders);
storefront.route("/api/v1/user", auth(mergeGuestCart));
storefront.route("/api/v1/user", account);
storefront.route("/api/v1/user", transactions);
storefront.route("/api/v1/user", files);
storefront.route("/api/v1/user", packages);
storefront.route("/api/v1/user", cart);
