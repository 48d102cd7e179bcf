import { personalData } from "../accounts/personal-data/routes.ts";
import { emailAddress } from "../accounts/users/email-address/routes.ts";
import { addressRoutes, profile, sessionRoutes } from "../accounts/users/routes.ts";
import { recovery, signIn } from "../accounts/users/sign-in/routes.ts";
import { twoFactorRoutes } from "../accounts/users/two-factor/routes.ts";
import { cart } from "../checkout/cart/routes.ts";
import { invoiceRoutes } from "../checkout/invoices/routes.ts";
import { returnRoutes } from "../checkout/orders/returns/routes.ts";
import { orderRoutes } from "../checkout/orders/routes.ts";
import { transactionRoutes } from "../checkout/transactions/routes.ts";
import { fileRoutes } from "../downloads/files/routes.ts";
import { packageRoutes } from "../downloads/packages/routes.ts";
import { authenticate, authenticateLateBody } from "../platform/auth/authenticate.ts";
import { database } from "../platform/db/client.ts";
import { jsonBodies, jsonLimit, plainBodies } from "../platform/http/body-parsing.ts";
import { followWrites } from "./follow-events.ts";
import { newApi } from "./new-app.ts";
import { readStored } from "./read-stored.ts";

/** The routes of shoppers, except for the catalogue. */
export const storefront = newApi();

storefront.use(authenticate, plainBodies, jsonLimit, jsonBodies, authenticateLateBody, database, followWrites);
storefront.use(readStored(storefront));
storefront.route("/api/v1/user", orderRoutes);
storefront.route("/api/v1/user", invoiceRoutes);
storefront.route("/api/v1/user", returnRoutes);
storefront.route("/api/v1/user", signIn);
storefront.route("/api/v1/user", recovery);
storefront.route("/api/v1/user", emailAddress);
storefront.route("/api/v1/user", profile);
storefront.route("/api/v1/user", addressRoutes);
storefront.route("/api/v1/user", sessionRoutes);
storefront.route("/api/v1/user", personalData);
storefront.route("/api/v1/user", twoFactorRoutes);
storefront.route("/api/v1/user", transactionRoutes);
storefront.route("/api/v1/user", fileRoutes);
storefront.route("/api/v1/user", packageRoutes);
storefront.route("/api/v1/user", cart);
