import { Hono } from "hono";
import { createMiddleware } from "hono/factory";
import { methodNotAllowed as answerOtherMethods } from "hono/method-not-allowed";
import { requestId } from "hono/request-id";
import { account } from "./account/routes.ts";
import { auditAdmin } from "./audit/admin-routes.ts";
import { apiKeysAdmin } from "./auth/api-keys/admin-routes.ts";
import { identify } from "./auth/identify.ts";
import { auth } from "./auth/routes.ts";
import { BOOKMARK_HEADER, database } from "./bookmark.ts";
import { mergeGuestCart } from "./cart/merge.ts";
import { cart } from "./cart/routes.ts";
import { categoriesAdmin } from "./categories/admin-routes.ts";
import type { AppEnv } from "./env.ts";
import { methodNotAllowed, notFound } from "./errors.ts";
import { files } from "./files/routes.ts";
import { failure, ok } from "./http/envelope.ts";
import { crossOrigin, jsonBodies, jsonLimit, privateAnswers, safeHeaders } from "./http/manners.ts";
import { onError } from "./http/on-error.ts";
import { requestLog } from "./http/request-log.ts";
import { webhooks } from "./orders/payments/routes.ts";
import { orders } from "./orders/routes.ts";
import { packages } from "./packages/routes.ts";
import { productsAdmin } from "./products/admin-routes.ts";
import { products } from "./products/routes.ts";
import { rateLimitHeaderNames, tellQuota } from "./rate-limit/headers.ts";
import { readSettings } from "./settings.ts";
import { usersAdmin } from "./users/admin-routes.ts";

export const app = new Hono<AppEnv>();

const settings = createMiddleware<AppEnv>(async (c, next) => {
  c.set("settings", readSettings(c.env));
  await next();
});

// How we speak.
app.onError(onError);
app.notFound((c) => failure(c, notFound("This address")));
app.use(
  requestId(),
  requestLog,
  crossOrigin([...rateLimitHeaderNames, BOOKMARK_HEADER]),
  safeHeaders,
  privateAnswers,
  tellQuota,
);
app.use(answerOtherMethods({ app, onMethodNotAllowed: (c, allowed) => failure(c, methodNotAllowed(allowed)) }));

app.get("/health", (c) => ok(c, "The service answers", null));

// Who asks and how often, then what they send.
app.use(settings, database);
app.get("/.well-known/jwks.json", (c) => {
  c.header("Cache-Control", "public, max-age=300");
  return c.json(c.var.settings.tokenKeys.published);
});
app.use("/api/*", identify, jsonLimit);
app.use("/api/v1/:area{user|admin}/*", jsonBodies);

app.route("/api/v1/user", products);
app.route("/api/v1/user", orders);
app.route("/api/v1/user", auth(mergeGuestCart));
app.route("/api/v1/user", account);
app.route("/api/v1/user", files);
app.route("/api/v1/user", packages);
app.route("/api/v1/user", cart);
app.route("/api/v1/webhooks", webhooks);

app.route("/api/v1/admin", productsAdmin);
app.route("/api/v1/admin", categoriesAdmin);
app.route("/api/v1/admin", usersAdmin);
app.route("/api/v1/admin", auditAdmin);
app.route("/api/v1/admin", apiKeysAdmin);
