import { type Context, Hono, type MiddlewareHandler } from "hono";
import { createMiddleware } from "hono/factory";
import { methodNotAllowed as answerOtherMethods } from "hono/method-not-allowed";
import * as z from "zod";
import { account } from "./account/routes.ts";
import { auditAdmin } from "./audit/admin-routes.ts";
import { apiKeysAdmin } from "./auth/api-keys/admin-routes.ts";
import { identify } from "./auth/identify.ts";
import { auth } from "./auth/routes.ts";
import { database } from "./bookmark.ts";
import { mergeGuestCart } from "./cart/merge.ts";
import { cart } from "./cart/routes.ts";
import { purgesCatalogue } from "./catalogue-cache/warm.ts";
import { categoriesAdmin } from "./categories/admin-routes.ts";
import { categories } from "./categories/routes.ts";
import type { AppEnv } from "./env.ts";
import { type ApiError, methodNotAllowed, notFound } from "./errors.ts";
import { filesAdmin } from "./files/admin-routes.ts";
import { uploadsAdmin } from "./files/in-parts-routes.ts";
import { files } from "./files/routes.ts";
import { answers } from "./http/contract.ts";
import { failure, ok } from "./http/envelope.ts";
import { answersForPrograms, jsonBodies, jsonLimit, plainBodies } from "./http/manners.ts";
import { onError } from "./http/on-error.ts";
import { requestId, requestLog } from "./http/request-log.ts";
import { Addresses, addressesAt, isForPeople } from "./http/root.ts";
import { RouterByArea } from "./http/router.ts";
import { ordersAdmin } from "./orders/admin-routes.ts";
import { webhooks } from "./orders/payments/routes.ts";
import { orders } from "./orders/routes.ts";
import { packagesAdmin } from "./packages/admin-routes.ts";
import { packages } from "./packages/routes.ts";
import { asksForJson } from "./panel/env.ts";
import { errorPage } from "./panel/error-page.tsx";
import { pageHeaders, privatePages } from "./panel/headers.ts";
import { panel } from "./panel/routes.tsx";
import { productsAdmin } from "./products/admin-routes.ts";
import { products } from "./products/routes.ts";
import { tellQuota } from "./rate-limit/headers.ts";
import { readSettings } from "./settings.ts";
import { transactionsAdmin } from "./transactions/admin-routes.ts";
import { transactions } from "./transactions/routes.ts";
import { usersAdmin } from "./users/admin-routes.ts";

export const app = new Hono<AppEnv>({ router: new RouterByArea() });

const settings = createMiddleware<AppEnv>(async (c, next) => {
  c.set("settings", readSettings(c.env));
  await next();
});

const unless =
  (excepted: RegExp) =>
  (middleware: MiddlewareHandler): MiddlewareHandler =>
  (c, next) =>
    excepted.test(c.req.path) ? next() : middleware(c, next);

const Health = z.object({ version: z.string().describe("The id of the deployed version that answers") });

/** Pages below /admin are for people; everything else is for programs. */
const PAGES = /^\/admin(\/|$)/;
const refuse = (c: Context<AppEnv>, error: ApiError) =>
  PAGES.test(c.req.path) && !asksForJson(c) ? errorPage(c, error) : failure(c, error);

/** Bodies are short and JSON, but for those that carry a file's bytes: their routes say what they take, and how much. */
const ofFields = unless(/^\/api\/v1\/admin\/(files(\/[^/]+\/versions)?|uploads\/[^/]+\/parts\/[^/]+)$/);

const orOtherMethods = answerOtherMethods({
  app,
  onMethodNotAllowed: (c, allowed) => refuse(c, methodNotAllowed(allowed)),
});

// How we speak.
app.onError(onError(refuse));
app.notFound(async (c) => {
  c.res = await refuse(c, notFound("This address"));
  await orOtherMethods(c, async () => undefined);
  return c.res;
});
app.use(requestId, requestLog, tellQuota);
app.use(unless(PAGES)(answersForPrograms));
app.use("/admin/*", pageHeaders, privatePages);

app.get("/health", answers("Whether the service answers", Health), (c) =>
  ok(c, "The service answers", { version: c.env.VERSION.id }),
);

app.get("/", answers("Where the API is", Addresses), (c) => {
  c.header("Vary", "Accept");
  if (isForPeople(c)) return c.redirect("/docs");
  return ok(c, "A storefront API", addressesAt(new URL(c.req.url).origin));
});

// Who asks, and how often.
app.use(settings);
app.get("/.well-known/jwks.json", (c) => {
  c.header("Cache-Control", "public, max-age=300");
  return c.json(c.var.settings.tokenKeys.published);
});
app.use("/api/*", identify);

// The catalogue is only read, from any replica or from none: it needs neither a body nor the caller's own view of the
// database.
app.route("/api/v1/user", products);
app.route("/api/v1/user", categories);
app.use("/api/*", plainBodies, ofFields(jsonLimit));
app.on("ALL", ["/api/v1/user/*", "/api/v1/admin/*"], ofFields(jsonBodies));
app.use(database);
app.route("/api/v1/user", orders);
app.route("/api/v1/user", auth(mergeGuestCart));
app.route("/api/v1/user", account);
app.route("/api/v1/user", transactions);
app.route("/api/v1/user", files);
app.route("/api/v1/user", packages);
app.route("/api/v1/user", cart);
app.route("/api/v1/webhooks", webhooks);

app.use("/api/v1/admin/*", purgesCatalogue);
app.route("/api/v1/admin", productsAdmin);
app.route("/api/v1/admin", categoriesAdmin);
app.route("/api/v1/admin", ordersAdmin);
app.route("/api/v1/admin", transactionsAdmin);
app.route("/api/v1/admin", usersAdmin);
app.route("/api/v1/admin", uploadsAdmin);
app.route("/api/v1/admin", filesAdmin);
app.route("/api/v1/admin", packagesAdmin);
app.route("/api/v1/admin", auditAdmin);
app.route("/api/v1/admin", apiKeysAdmin);

app.route("/admin", panel);
