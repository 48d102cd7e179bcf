import { Hono } from "hono";
import { authorOf } from "../audit/entry.ts";
import { administer } from "../auth/gates.ts";
import { purgesCatalogue } from "../catalogue-cache/warm.ts";
import type { AppEnv } from "../env.ts";
import { toItsEnd } from "../http/background.ts";
import { created, list, noContent, ok } from "../http/envelope.ts";
import { IdParam, Nothing } from "../http/fields.ts";
import { PageQuery, pageOf } from "../http/pagination.ts";
import { validate } from "../http/validate.ts";
import { toAdminFile } from "./admin-schemas.ts";
import { storesOf } from "./bucket.ts";
import { beginUpload, cancelUpload, completeUpload, receivePart, requireUpload } from "./in-parts.ts";
import { listUploads } from "./in-parts-queries.ts";
import { NewUpload, PartParam, toUpload } from "./in-parts-schemas.ts";

export const uploadsAdmin = new Hono<AppEnv>()
  .get("/files/uploads", administer("files:write"), validate("query", PageQuery), async (c) => {
    const query = c.req.valid("query");
    const { rows, totalItems } = await listUploads(c.var.db, query, Date.now());
    return list(c, "Open uploads", rows.map(toUpload), pageOf(query, totalItems));
  })
  .post("/files/uploads", administer("files:write"), validate("json", NewUpload), async (c) => {
    const upload = await toItsEnd(c, beginUpload(storesOf(c), c.req.valid("json"), authorOf(c)));
    return created(c, "Upload begun", toUpload(upload));
  })
  .get("/files/uploads/:id", administer("files:write"), validate("param", IdParam), async (c) => {
    return ok(c, "Upload", toUpload(await requireUpload(c.var.db, c.req.valid("param").id)));
  })
  .put("/files/uploads/:id/parts/:number", administer("files:write"), validate("param", PartParam), async (c) => {
    const { id, number } = c.req.valid("param");
    return ok(c, "Part received", toUpload(await receivePart(storesOf(c), id, number, c.req.raw)));
  })
  .post(
    "/files/uploads/:id/complete",
    administer("files:write"),
    purgesCatalogue,
    validate("param", IdParam),
    validate("json", Nothing),
    async (c) => {
      const { id } = c.req.valid("param");
      const file = await toItsEnd(c, completeUpload(storesOf(c), id, authorOf(c)));
      return created(c, "Upload complete", toAdminFile(file));
    },
  )
  .delete("/files/uploads/:id", administer("files:write"), validate("param", IdParam), async (c) => {
    await cancelUpload(storesOf(c), c.req.valid("param").id);
    return noContent(c);
  });
