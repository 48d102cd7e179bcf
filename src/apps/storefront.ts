import { authenticate } from "../auth/authenticate.ts";
import { cart } from "../cart/routes.ts";
import { database } from "../db/bookmark.ts";
import { files } from "../files/routes.ts";
import { jsonBodies, jsonLimit, plainBodies } from "../http/body-parsing.ts";
import { orders } from "../orders/routes.ts";
import { packages } from "../packages/routes.ts";
import { personalData } from "../personal-data/routes.ts";
import { transactions } from "../transactions/routes.ts";
import { addresses } from "../users/addresses/routes.ts";
import { emailAddress } from "../users/email-address/routes.ts";
import { profile } from "../users/profile/routes.ts";
import { recovery } from "../users/recovery/routes.ts";
import { sessions } from "../users/sessions/routes.ts";
import { signIn } from "../users/sign-in/routes.ts";
import { twoFactor } from "../users/two-factor/routes.ts";
import { followWrites } from "./follow-events.ts";
import { newApi } from "./new-app.ts";

/** The routes of shoppers, except for the catalogue. */
export const storefront = newApi();

storefront.use(authenticate, plainBodies, jsonLimit, jsonBodies, database, followWrites);
storefront.route("/api/v1/user", orders);
storefront.route("/api/v1/user", signIn);
storefront.route("/api/v1/user", recovery);
storefront.route("/api/v1/user", emailAddress);
storefront.route("/api/v1/user", profile);
storefront.route("/api/v1/user", addresses);
storefront.route("/api/v1/user", sessions);
storefront.route("/api/v1/user", personalData);
storefront.route("/api/v1/user", twoFactor);
storefront.route("/api/v1/user", transactions);
storefront.route("/api/v1/user", files);
storefront.route("/api/v1/user", packages);
storefront.route("/api/v1/user", cart);
