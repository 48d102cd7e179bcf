import { newApp, settings } from "../../apps/new-app.ts";
import { database } from "../../platform/db/bookmark.ts";
import { errorPage } from "../error-page.tsx";
import { formLimit } from "../forms/limit.ts";
import { pageHeaders, privatePages } from "../headers.ts";
import { sameOrigin } from "../session/same-origin.ts";
import { links } from "./routes.tsx";

/** Pages behind links in e-mails, where the storefront has none of its own. */
export const linkPages = newApp(errorPage);

linkPages.use(pageHeaders, privatePages, settings, database, sameOrigin, formLimit);
linkPages.route("/account", links);
