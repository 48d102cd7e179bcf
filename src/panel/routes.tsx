import { Hono } from "hono";
import { trimTrailingSlash } from "hono/trailing-slash";
import { purgeCatalogueCache } from "../catalogue-cache/middleware.ts";
import { account } from "./account/routes.ts";
import { twoFactor } from "./account/two-factor-routes.tsx";
import { apiKeys } from "./api-keys/routes.tsx";
import { audit } from "./audit/routes.tsx";
import { categories } from "./categories/routes.tsx";
import { customerData } from "./customers/personal-data-routes.ts";
import { customers } from "./customers/routes.tsx";
import { customerSessions } from "./customers/session-routes.tsx";
import { customerTwoFactor } from "./customers/two-factor-routes.ts";
import { emails } from "./emails/routes.tsx";
import type { PanelEnv } from "./env.ts";
import { files } from "./files/routes.tsx";
import { formLimit } from "./forms/limit.ts";
import { orders } from "./orders/routes.tsx";
import { overview } from "./overview/routes.tsx";
import { packages } from "./packages/routes.tsx";
import { products } from "./products/routes.tsx";
import { requireStaff } from "./session/gate.ts";
import { session } from "./session/routes.tsx";
import { sameOrigin } from "./session/same-origin.ts";
import { uploads } from "./uploads/routes.tsx";

/** The administrator's pages, below /admin: one line per section. */
export const panel = new Hono<PanelEnv>();

panel.use(trimTrailingSlash(), sameOrigin, formLimit);
panel.route("/", session);
panel.use(requireStaff, purgeCatalogueCache);

panel.route("/", overview);
panel.route("/", apiKeys);
panel.route("/", products);
panel.route("/", categories);
panel.route("/", orders);
panel.route("/", customers);
panel.route("/", customerSessions);
panel.route("/", customerTwoFactor);
panel.route("/", customerData);
panel.route("/", uploads);
panel.route("/", files);
panel.route("/", packages);
panel.route("/", emails);
panel.route("/", audit);
panel.route("/", account);
panel.route("/", twoFactor);
