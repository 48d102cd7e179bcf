import * as z from "zod";
import { Id, line, Text } from "../../domain/fields.ts";
import { auditedState, declareFields, distinct } from "../../platform/administration/fields.ts";
import { type FileFacts, fileAccess } from "../../platform/db/schema.ts";
import type { FileContent, FileRow } from "./schemas.ts";

/**
 * The fields of a file that administrators edit, apart from its content. A new file without a name takes its content's file
 * name.
 */
export const fileFields = declareFields<FileFacts>()({
  access: { column: "access", schema: z.enum(fileAccess) },
  name: { column: "name", schema: line(200), derived: true },
  description: { column: "description", schema: Text.max(20_000), initial: "" },
  product_ids: {
    column: "productIds",
    stored: distinct,
    schema: z.array(Id).max(100).describe("Ids of the products that give access to the file when sold"),
    initial: [],
  },
  published: {
    column: "published",
    schema: z.boolean().describe("True if the file is visible to customers"),
    initial: false,
  },
});

export type AuditedFile = Omit<FileFacts, "published"> & Pick<FileRow, "publishedAt"> & Omit<FileContent, "r2Key">;

/** A file as the audit log records it. */
export const fileState = ({ publishedAt, ...file }: AuditedFile) => ({
  ...auditedState(fileFields, { ...file, published: publishedAt !== null }),
  file_name: file.fileName,
  mime_type: file.mimeType,
  size_bytes: file.sizeBytes,
  sha256: file.sha256,
  version: file.version,
});
