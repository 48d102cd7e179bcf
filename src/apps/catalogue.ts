import * as z from "zod";
import { version as release } from "../../package.json";
import { categoryRoutes } from "../catalogue/categories/routes.ts";
import { pageRoutes } from "../catalogue/pages/routes.ts";
import { productRoutes } from "../catalogue/products/routes.ts";
import { authenticate } from "../platform/auth/authenticate.ts";
import { ok } from "../platform/http/envelope.ts";
import { addressesAt, prefersHtml, RootLinks } from "../platform/http/root.ts";
import { answers } from "../platform/http/route-description.ts";
import { readSettings } from "../platform/settings/settings.ts";
import { apiVersion } from "./api-version.ts";
import { newApi } from "./new-app.ts";

const Health = z.object({
  version: z.string().describe("The id of the deployed version that answers"),
  release: z.string().describe("The release of the code, such as 1.2.0"),
});

/** The catalogue for shoppers and the deployment's public data. It is evaluated when the Worker starts. */
export const catalogue = newApi();

catalogue.get("/health", answers("whetherServiceAnswers", "Check whether the service is up", Health), (c) =>
  ok(c, "The service is up", { version: c.env.VERSION.id, release }),
);

catalogue.get("/", answers("whereApiIs", "Where the API is", RootLinks), (c) => {
  c.header("Vary", "Accept");
  if (prefersHtml(c)) return c.redirect("/docs");
  return ok(c, "A storefront API", addressesAt(new URL(c.req.url).origin));
});

catalogue.get("/.well-known/jwks.json", (c) => {
  const { published } = readSettings(c.env).tokenKeys;
  return c.json(published, 200, { "Cache-Control": "public, max-age=300" });
});

// Reads use any replica or none: they need neither a body nor the caller's own view of the database.
catalogue.use("/api/*", authenticate, apiVersion());
catalogue.route("/api/v1/user", productRoutes);
catalogue.route("/api/v1/user", categoryRoutes);
catalogue.route("/api/v1/user", pageRoutes);
