import { Hono } from "hono";
import { type AppEnv, allowAnyone } from "../../platform/auth/gates.ts";
import { list, ok } from "../../platform/http/envelope.ts";
import { PageQuery } from "../../platform/http/pagination.ts";
import { answers, answersBytes, lists } from "../../platform/http/route-description.ts";
import { validate } from "../../platform/http/validate.ts";
import { listFiles, openLink } from "./delivery/downloads.ts";
import { createDownload, serveDownload } from "./delivery/serve-download.ts";
import { Download, DownloadQuery, File, LinkQuery, toFile } from "./schemas.ts";

export const fileRoutes = new Hono<AppEnv>()
  .get(
    "/files",
    allowAnyone("files:read", "anonymous"),
    validate("query", PageQuery),
    lists("listFiles", "List files", File),
    async (c) => {
      const now = Date.now();
      const page = await listFiles(c.var.db, c.var.caller, c.req.valid("query"), now);
      return list(c, "Files", page, (row) => toFile(row, c.var.caller, now));
    },
  )
  .get(
    "/download-file",
    allowAnyone("files:read", "anonymous"),
    validate("query", DownloadQuery),
    answers("downloadFile", "Download a file, or get a link to it", Download, {
      description:
        "Returns small texts as `data`, and otherwise a `link` that is valid for ten minutes. A download counts once its bytes flow.",
      refuses: { 403: ["download_denied"], 404: ["not_found"] },
    }),
    async (c) => {
      const { file_id } = c.req.valid("query");
      const { db, settings } = c.var;
      const shop = { env: c.env, db, settings, origin: new URL(c.req.url).origin, counts: c.req.method === "GET" };
      const offer = await createDownload(shop, c.var.caller, file_id);
      return ok(c, offer.kind === "link" ? "Download link" : "File", offer);
    },
  )
  .get(
    "/downloads",
    allowAnyone("files:read", "anonymous"),
    validate("query", LinkQuery),
    answersBytes("followDownloadLink", "Follow a download link", {
      refuses: { 403: ["download_denied", "invalid_link", "link_exhausted", "link_not_yours", "link_outdated"] },
    }),
    async (c) => {
      const link = await openLink(c.var.settings.linkSecrets, c.req.valid("query").token, c.var.caller);
      return serveDownload(c, link);
    },
  );
