import { Hono } from "hono";
import { IdParam } from "../../domain/fields.ts";
import { writeContextOf } from "../../platform/auth/caller.ts";
import { type AppEnv, administer } from "../../platform/auth/gates.ts";
import { runToCompletion } from "../../platform/http/background.ts";
import { created, list, noContent } from "../../platform/http/envelope.ts";
import { acceptsBody, answers, answersNothing, creates, lists } from "../../platform/http/route-description.ts";
import { validate, validateAll } from "../../platform/http/validate.ts";
import { IfMatch, versioned } from "../../platform/http/version.ts";
import { idempotent, once } from "../../platform/idempotency/once.ts";
import { AdminFile, FilesQuery, FileUpdate, fromForm, NewFile, NewVersion, toAdminFile } from "./admin-schemas.ts";
import { adminListFiles } from "./files.ts";
import { asSent, receiveUpload } from "./uploads/upload-form.ts";
import { addVersion, changeFile, createFile, removeFile, requireFile } from "./write.ts";

export const filesAdmin = new Hono<AppEnv>()
  .get(
    "/files",
    administer("files:read_all"),
    validate("query", FilesQuery),
    lists("adminListFiles", "List all files", AdminFile),
    async (c) => {
      const page = await adminListFiles(c.var.db, c.req.valid("query"));
      return list(c, "Files", page, toAdminFile);
    },
  )
  .post(
    "/files",
    administer("files:write"),
    idempotent,
    acceptsBody("multipart/form-data", NewFile),
    creates("uploadFile", "Upload a file", AdminFile, {
      refuses: { 400: ["checksum_mismatch", "content_mismatch"], 409: ["upload_expired"] },
    }),
    async (c) => {
      const upload = receiveUpload(c.req.raw, (fields, file) =>
        once(c, asSent(fields, file), (ctx) => createFile(ctx, { ...fromForm(NewFile, fields), file })),
      );
      const file = await runToCompletion(c, upload);
      return created(c, `/api/v1/admin/files/${file.id}`, "File created", toAdminFile(file));
    },
  )
  .get(
    "/files/:id",
    administer("files:read_all"),
    validate("param", IdParam),
    answers("getFile", "Get a file", AdminFile, { headers: ["ETag"] }),
    async (c) => {
      const file = await requireFile(c.var.db, c.req.valid("param").id);
      return versioned(c, "File", file, toAdminFile(file));
    },
  )
  .put(
    "/files/:id",
    administer("files:write"),
    validateAll({ param: IdParam, header: IfMatch, json: FileUpdate }),
    answers("updateFile", "Update a file", AdminFile, { refuses: { 400: ["content_mismatch"] }, headers: ["ETag"] }),
    async (c) => {
      const [{ id }, change, ifMatch] = [c.req.valid("param"), c.req.valid("json"), c.req.valid("header")];
      const file = await changeFile(writeContextOf(c), { id, change, ifMatch });
      return versioned(c, "File updated", file, toAdminFile(file));
    },
  )
  .delete(
    "/files/:id",
    administer("files:write"),
    validateAll({ param: IdParam, header: IfMatch }),
    answersNothing("deleteFile", "Delete a file", {
      description: "Deletes a file and all of its versions, which cannot be undone.",
      refuses: { 409: ["in_use"] },
    }),
    async (c) => {
      await removeFile(writeContextOf(c), { id: c.req.valid("param").id, ifMatch: c.req.valid("header") });
      return noContent(c);
    },
  )
  .post(
    "/files/:id/versions",
    administer("files:write"),
    idempotent,
    validateAll({ param: IdParam, header: IfMatch }),
    acceptsBody("multipart/form-data", NewVersion),
    creates("createFileVersion", "Upload a new version of a file", AdminFile, {
      refuses: { 400: ["checksum_mismatch", "content_mismatch"], 409: ["upload_expired"] },
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      const upload = receiveUpload(c.req.raw, (fields, file) =>
        once(c, asSent(fields, file), (ctx) =>
          addVersion(ctx, { id, ...fromForm(NewVersion, fields), file, ifMatch: c.req.valid("header") }),
        ),
      );
      return created(c, `/api/v1/admin/files/${id}`, "Version added", toAdminFile(await runToCompletion(c, upload)));
    },
  );
