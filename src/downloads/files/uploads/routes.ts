import { Hono } from "hono";
import { IdParam, Nothing } from "../../../domain/fields.ts";
import { writeContextOf } from "../../../platform/auth/caller.ts";
import { type AppEnv, administer } from "../../../platform/auth/gates.ts";
import { runToCompletion } from "../../../platform/http/background.ts";
import { created, list, noContent, ok } from "../../../platform/http/envelope.ts";
import { PageQuery } from "../../../platform/http/pagination.ts";
import { acceptsBody, answers, answersNothing, creates, lists } from "../../../platform/http/route-description.ts";
import { validate, validateAll } from "../../../platform/http/validate.ts";
import { IfMatch } from "../../../platform/http/version.ts";
import { idempotent, once } from "../../../platform/idempotency/once.ts";
import { AdminFile, toAdminFile } from "../admin-schemas.ts";
import {
  beginUpload,
  cancelUpload,
  completeUpload,
  listUploads,
  receivePart,
  requireUpload,
} from "./multipart-upload.ts";
import { PartParam, toUpload, Upload, UploadCreate } from "./schemas.ts";

export const uploadsAdmin = new Hono<AppEnv>()
  .get(
    "/uploads",
    administer("files:write"),
    validate("query", PageQuery),
    lists("listUploads", "List open uploads", Upload),
    async (c) => {
      const page = await listUploads(c.var.db, c.req.valid("query"), Date.now());
      return list(c, "Open uploads", page, toUpload);
    },
  )
  .post(
    "/uploads",
    administer("files:write"),
    idempotent,
    validateAll({ header: IfMatch, json: UploadCreate }),
    creates("createUpload", "Start a multipart upload", Upload, {
      refuses: { 404: ["not_found"], 409: ["too_many_uploads"] },
    }),
    async (c) => {
      const sent = c.req.valid("json");
      const begun = once(c, sent, (ctx) => beginUpload(ctx, { ...sent, ifMatch: c.req.valid("header") }));
      const upload = await runToCompletion(c, begun);
      return created(c, `/api/v1/admin/uploads/${upload.id}`, "Upload begun", toUpload(upload));
    },
  )
  .get(
    "/uploads/:id",
    administer("files:write"),
    validate("param", IdParam),
    answers("getUpload", "Get an upload", Upload),
    async (c) => {
      return ok(c, "Upload", toUpload(await requireUpload(c.var.db, c.req.valid("param").id)));
    },
  )
  .put(
    "/uploads/:id/parts/:number",
    administer("files:write"),
    validate("param", PartParam),
    acceptsBody("application/octet-stream"),
    answers("uploadPart", "Upload a part", Upload, { refuses: { 409: ["upload_complete", "upload_expired"] } }),
    async (c) => {
      const part = { ...c.req.valid("param"), request: c.req.raw };
      return ok(c, "Part received", toUpload(await receivePart(writeContextOf(c), part)));
    },
  )
  .post(
    "/uploads/:id/complete",
    administer("files:write"),
    idempotent,
    validateAll({ param: IdParam, header: IfMatch, json: Nothing }),
    creates("completeUpload", "Complete an upload", AdminFile, {
      refuses: { 400: ["checksum_mismatch", "content_mismatch"], 409: ["upload_expired", "upload_incomplete"] },
    }),
    async (c) => {
      const upload = { id: c.req.valid("param").id, ifMatch: c.req.valid("header") };
      const completed = once(c, null, (ctx) => completeUpload(ctx, upload));
      const file = await runToCompletion(c, completed);
      return created(c, `/api/v1/admin/files/${file.id}`, "Upload complete", toAdminFile(file));
    },
  )
  .delete(
    "/uploads/:id",
    administer("files:write"),
    validate("param", IdParam),
    answersNothing("cancelUpload", "Cancel an upload", { refuses: { 409: ["upload_complete"] } }),
    async (c) => {
      await cancelUpload(writeContextOf(c), c.req.valid("param").id);
      return noContent(c);
    },
  );
