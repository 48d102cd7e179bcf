import { followWrites } from "../apps/follow-events.ts";
import { newApp, settings } from "../apps/new-app.ts";
import { database } from "../platform/db/client.ts";
import { failure } from "../platform/http/envelope.ts";
import { asksForJson } from "./env.ts";
import { pageHeaders, previewHeaders, privatePages } from "./middleware.ts";
import { errorPage } from "./page.tsx";
import { panel } from "./routes.tsx";
import { askAheadOfDownload } from "./session/routes.tsx";

/** The administrator's pages: for people, where all else is for programs. */
export const pages = newApp((c, error) =>
  asksForJson(c) ? failure(c, error) : (askAheadOfDownload(c, error) ?? errorPage(c, error)),
);

pages.use("/admin/emails/templates/:name/html", previewHeaders);
pages.use(pageHeaders, privatePages, settings, database, followWrites);
pages.route("/admin", panel);
