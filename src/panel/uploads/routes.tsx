import { type Context, Hono } from "hono";
import * as z from "zod";
import { IdParam } from "../../domain/fields.ts";
import { Sha256, toAdminFile } from "../../downloads/files/admin-schemas.ts";
import { contentType, SIGNATURE_BYTES } from "../../downloads/files/uploads/content-type.ts";
import {
  beginUpload,
  cancelUpload,
  completeUpload,
  receivePart,
  requireUpload,
} from "../../downloads/files/uploads/multipart-upload.ts";
import { PartParam, toUpload, UploadCreate } from "../../downloads/files/uploads/schemas.ts";
import { requireFile } from "../../downloads/files/write.ts";
import { writeContextOf } from "../../platform/auth/caller.ts";
import { administer } from "../../platform/auth/gates.ts";
import { runToCompletion } from "../../platform/http/background.ts";
import { validate, validateAll } from "../../platform/http/validate.ts";
import { IfMatch } from "../../platform/http/version.ts";
import { filePage, newFilePage } from "../files/pages.tsx";
import { flash, redirectWithFlash } from "../flash.ts";
import { submit } from "../forms/attempt.ts";
import type { Failed } from "../forms/inputs.ts";
import { type FieldKind, flagKind, number, optional, text } from "../forms/kinds.ts";
import type { SentForm } from "../forms/read-form.ts";
import { type PanelEnv, page } from "../page.tsx";
import { UploadPage } from "./page.tsx";

// Used by src/panel/browser/upload.js: sends a form's file in parts. Without scripts the form sends it whole.

const FILES = "/admin/files";

/** The browser's hash of the whole file. */
const CompletedUpload = z.strictObject({ sha256: Sha256 });

export const uploadPages = new Hono<PanelEnv>()
  .post("/files/uploads", administer("files:write"), async (c) =>
    submit(
      c,
      (failed) => newFilePage(c, withFileErrors(failed, FILES)),
      (sent) => begin(c, sent, newFileUpload(sent)),
    ),
  )
  .post("/files/:id/uploads", administer("files:write"), validate("param", IdParam), async (c) => {
    const { id } = c.req.valid("param");
    return submit(
      c,
      (failed) => filePage(c, id, withFileErrors(failed, `${FILES}/${id}/versions`)),
      (sent) => begin(c, sent, newVersionUpload(sent, id)),
    );
  })
  .get("/uploads/:id", administer("files:write"), validate("param", IdParam), async (c) => {
    const upload = await requireUpload(c.var.db, c.req.valid("param").id);
    const replaced = upload.fileId === null ? null : await requireFile(c.var.db, upload.fileId);
    return page(c, upload.fileName, <UploadPage upload={upload} replaced={replaced} />);
  })
  .put("/uploads/:id/parts/:number", administer("files:write"), validate("param", PartParam), async (c) => {
    const part = { ...c.req.valid("param"), request: c.req.raw };
    return c.json(toUpload(await receivePart(writeContextOf(c), part)));
  })
  .post(
    "/uploads/:id/complete",
    administer("files:write"),
    validateAll({ param: IdParam, header: IfMatch, json: CompletedUpload }),
    async (c) => {
      const [{ id }, ifMatch, { sha256 }] = [c.req.valid("param"), c.req.valid("header"), c.req.valid("json")];
      const file = await runToCompletion(c, completeUpload(writeContextOf(c), { id, ifMatch, sha256 }));
      const { name, version } = file;
      flash(c, "success", version === 1 ? `${name} was uploaded.` : `${name} is now version ${version}.`);
      return c.json(toAdminFile(file), 201);
    },
  )
  .post("/uploads/:id/cancel", administer("files:write"), validate("param", IdParam), async (c) => {
    await cancelUpload(writeContextOf(c), c.req.valid("param").id);
    return redirectWithFlash(c, FILES, "The upload was cancelled and its received part deleted.");
  });

async function begin(c: Context<PanelEnv>, sent: SentForm, upload: UploadCreate): Promise<Response> {
  const begun = await runToCompletion(c, beginUpload(writeContextOf(c), { ...upload, ifMatch: sent.ifMatch }));
  return c.json(toUpload(begun), 201);
}

/** The first bytes of the file, which identify its type before the rest is sent. */
const Head = z.object({ head: z.base64().max((SIGNATURE_BYTES / 3 + 1) * 4) });

const content = { file_name: text, size_bytes: number, mime_type: optional };
const facts = { name: optional, description: optional, access: text, published: flagKind };

const newFileUpload = (sent: SentForm): UploadCreate => read(sent, { ...content, ...facts });

const newVersionUpload = (sent: SentForm, fileId: number): UploadCreate =>
  read(sent, { ...content, file_id: () => fileId });

/** Reads an upload's form and refuses a file whose content does not match its name. */
function read(sent: SentForm, kinds: Record<string, FieldKind>): UploadCreate {
  const upload = sent.read(UploadCreate, kinds);
  const { head } = sent.read(Head, { head: text });
  contentType(Buffer.from(head, "base64"), upload.file_name, upload.mime_type ?? "");
  return upload;
}

/** Moves errors of the file's name and size to the form's file field. */
const withFileErrors = ({ errors, ...failed }: Failed, action: string): Failed => {
  const { file_name = [], size_bytes = [], file = [], ...others } = errors;
  const ofFile = [...file, ...file_name, ...size_bytes];
  return { ...failed, action, errors: ofFile.length > 0 ? { ...others, file: ofFile } : others };
};
