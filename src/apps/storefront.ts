import { personalData } from "../accounts/personal-data/routes.ts";
import { addresses } from "../accounts/users/addresses/routes.ts";
import { emailAddress } from "../accounts/users/email-address/routes.ts";
import { profile } from "../accounts/users/profile/routes.ts";
import { recovery } from "../accounts/users/recovery/routes.ts";
import { sessions } from "../accounts/users/sessions/routes.ts";
import { signIn } from "../accounts/users/sign-in/routes.ts";
import { twoFactor } from "../accounts/users/two-factor/routes.ts";
import { cart } from "../checkout/cart/routes.ts";
import { orders } from "../checkout/orders/routes.ts";
import { transactions } from "../checkout/transactions/routes.ts";
import { files } from "../downloads/files/routes.ts";
import { packages } from "../downloads/packages/routes.ts";
import { authenticate, authenticateLateBody } from "../platform/auth/authenticate.ts";
import { database } from "../platform/db/bookmark.ts";
import { jsonBodies, jsonLimit, plainBodies } from "../platform/http/body-parsing.ts";
import { followWrites } from "./follow-events.ts";
import { newApi } from "./new-app.ts";

/** The routes of shoppers, except for the catalogue. */
export const storefront = newApi();

storefront.use(authenticate, plainBodies, jsonLimit, jsonBodies, authenticateLateBody, database, followWrites);
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
