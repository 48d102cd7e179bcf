import * as z from "zod";
import { contentType, HEAD_BYTES } from "../../downloads/files/content-type.ts";
import { NewUpload } from "../../downloads/files/multipart-upload-schemas.ts";
import { type FieldKind, flag, number, optional, text } from "../forms/kinds.ts";
import type { SentForm } from "../forms/read-form.ts";
import type { Failed } from "../forms/state.ts";

/** The first bytes of the file, which say what it is before all of it is sent. */
const Head = z.object({ head: z.base64().max((HEAD_BYTES / 3 + 1) * 4) });

const content = { file_name: text, size_bytes: number, mime_type: optional };
const facts = { name: optional, description: optional, access: text, published: flag };

export const newFileUpload = (sent: SentForm): NewUpload => read(sent, { ...content, ...facts });

export const newVersionUpload = (sent: SentForm, fileId: number): NewUpload =>
  read(sent, { ...content, file_id: () => fileId });

/** Reads the form of an upload, and refuses a file whose content does not fit its name. */
function read(sent: SentForm, kinds: Record<string, FieldKind>): NewUpload {
  const upload = sent.read(NewUpload, kinds);
  const { head } = sent.read(Head, { head: text });
  contentType(Buffer.from(head, "base64"), upload.file_name, upload.mime_type ?? "");
  return upload;
}

/** Moves errors of the file's name and size to the one field that the page has for the file. */
export const withFileErrors = ({ errors, ...failed }: Failed, action: string): Failed => {
  const { file_name = [], size_bytes = [], file = [], ...others } = errors;
  const ofFile = [...file, ...file_name, ...size_bytes];
  return { ...failed, action, errors: ofFile.length > 0 ? { ...others, file: ofFile } : others };
};
