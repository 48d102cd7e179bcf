import { Hono } from "hono";
import type { ApiError } from "../../domain/errors.ts";
import { staff } from "../../platform/auth/gates.ts";
import type { PageContext, PanelEnv } from "../env.ts";
import { LinkButton } from "../kit/buttons.tsx";
import { page } from "../page.tsx";
import { returnPath } from "./routes.tsx";
import { reauthenticationPage } from "./sign-in-page.tsx";

// Downloads are links rather than forms: the page that asks for the password again saves the link and its page.

const CONFIRMED = "/admin/downloads";

/** The page that asks for the password before a download. Null for any other refusal. */
export function askAheadOfDownload(c: PageContext, error: ApiError): Promise<Response> | null {
  if (error.code !== "reauthentication_required" || c.req.method !== "GET") return null;
  c.status(403);
  const { pathname, search } = new URL(c.req.url);
  const waiting = { file: [pathname + search], page: [pagePath(c, c.req.header("Referer"))] };
  return reauthenticationPage(c, CONFIRMED, waiting);
}

/** The panel page of an address; the first page if it is not the panel's. */
function pagePath(c: PageContext, address: string | undefined): string {
  const { origin } = new URL(c.req.url);
  const url = address === undefined ? null : URL.parse(address);
  return returnPath(url?.origin === origin ? url.pathname + url.search : undefined, origin);
}

/** Starts a download after confirming the password, and returns to its page. */
export const downloads = new Hono<PanelEnv>().post("/downloads", staff, async (c) => {
  const { origin } = new URL(c.req.url);
  const [file, back] = [c.var.savedForm?.file?.[0], c.var.savedForm?.page?.[0]].map((path) => returnPath(path, origin));
  if (file === undefined || file === "/admin") return c.redirect("/admin", 303);
  c.header("Refresh", `0; url=${file}`);
  return page(
    c,
    "Download",
    <div class="card narrow">
      <h1>Your download is starting</h1>
      <p class="muted">If nothing happens, use the button.</p>
      <LinkButton href={file} tone="primary">
        Download
      </LinkButton>
      <LinkButton href={back ?? "/admin"}>Back</LinkButton>
    </div>,
  );
});
