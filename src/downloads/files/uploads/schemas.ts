import * as z from "zod";
import { coded, Id, IdText, Text, Timestamp, wholeNumber } from "../../../domain/fields.ts";
import { toRecord } from "../../../domain/record.ts";
import { changeShape } from "../../../platform/administration/fields.ts";
import type { uploads } from "../../../platform/db/schema.ts";
import { fileFields, Sha256 } from "../admin-schemas.ts";
import { FileName } from "./content-type.ts";

/** Size of all parts but the last: large enough to stay within a key's rate limit, and small enough to retry. */
const PART_BYTES = 16 * 1024 * 1024;

export const MAX_FILE_BYTES = 5_000_000_000;

const sizeWords = `must be a whole number from 1 to ${MAX_FILE_BYTES}`;

/** A multipart upload: a new file with its fields, or a new version of the file `file_id`. */
export const UploadCreate = z
  .strictObject({
    file_name: FileName,
    size_bytes: z.int(sizeWords).min(1, sizeWords).max(MAX_FILE_BYTES, sizeWords),
    mime_type: Text.max(200)
      .toLowerCase()
      .optional()
      .describe("Content type as declared by the sender. The actual content type is detected from the bytes"),
    sha256: Sha256.optional(),
    file_id: Id.optional().describe(
      "Id of an existing file to upload a new version of. Replaces the fields of a new file",
    ),
    ...z.object(changeShape(fileFields)).partial().shape,
  })
  .superRefine((sent, context) => {
    if (sent.file_id === undefined && sent.access === undefined) {
      context.addIssue({ code: "custom", path: ["access"], message: "is required" });
    }
    for (const name of Object.keys(fileFields)) {
      if (sent.file_id === undefined || Reflect.get(sent, name) === undefined) continue;
      context.addIssue({
        code: "custom",
        path: [name],
        message: "is only for new files",
        ...coded("not_applicable"),
      });
    }
  })
  .meta({ id: "UploadCreate" });
export type UploadCreate = z.output<typeof UploadCreate>;

export const PartParam = z.object({ id: IdText, number: wholeNumber(1, 10_000) });

/** An upload with its received parts, and the name of the file that it creates or updates. */
export type UploadRow = typeof uploads.$inferSelect & { parts: R2UploadedPart[]; name: string };

export const partsOf = ({ sizeBytes }: { sizeBytes: number }): number => Math.ceil(sizeBytes / PART_BYTES);

/** Returns the size of a part. Part numbers start at 1. */
export const sizeOfPart = (upload: { sizeBytes: number }, number: number): number =>
  number < partsOf(upload) ? PART_BYTES : upload.sizeBytes - (number - 1) * PART_BYTES;

export const bytesReceived = (upload: UploadRow): number =>
  upload.parts.reduce((sum, { partNumber }) => sum + sizeOfPart(upload, partNumber), 0);

export const Upload = z
  .object({
    id: z.int(),
    file_id: z.int().nullable(),
    file_name: z.string(),
    size_bytes: z.int(),
    sha256: z.string().nullable(),
    part_size: z.int().describe("Size of each part in bytes. The last part may be smaller"),
    parts: z.int(),
    received_parts: z.array(z.int()).describe("Numbers of the received parts, starting at 1"),
    created_at: Timestamp,
    expires_at: Timestamp,
    completed_at: Timestamp.nullable(),
  })
  .meta({ id: "Upload" });

export const toUpload = (row: UploadRow): z.output<typeof Upload> =>
  toRecord(Upload, row, {
    part_size: PART_BYTES,
    parts: partsOf(row),
    received_parts: row.parts.map(({ partNumber }) => partNumber),
  });
