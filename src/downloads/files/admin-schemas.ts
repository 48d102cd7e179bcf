import * as z from "zod";
import { BooleanText, Id, line, partialUpdate, Text, Timestamp } from "../../domain/fields.ts";
import { toRecord } from "../../domain/record.ts";
import {
  auditedState,
  changeShape,
  declareFields,
  distinct,
  newShape,
  type ResponseSchemas,
} from "../../platform/administration/fields.ts";
import { type FileAccess, type FileFacts, fileAccess } from "../../platform/db/schema.ts";
import type { FormFields } from "../../platform/http/body-parsing.ts";
import { cursorFields, pageFields, withoutPages } from "../../platform/http/pagination.ts";
import { valid } from "../../platform/http/validate.ts";
import { type FileContent, type FileRow, shownFile } from "./schemas.ts";
import { FileName } from "./uploads/content-type.ts";

const accessLabels = {
  public: "Everybody",
  authenticated: "Signed in: every customer with an account",
  package: "Buyers: customers who bought it or were granted it",
} satisfies Record<FileAccess, string>;

/**
 * The fields of a file that administrators edit, apart from its content. A new file without a name takes its content's file
 * name.
 */
export const fileFields = declareFields<FileFacts>()({
  access: { schema: z.enum(fileAccess), input: { as: "choice", options: Object.entries(accessLabels) } },
  name: { schema: line(200), derived: true, input: {} },
  description: { schema: Text.max(20_000), initial: "", input: { as: "lines" } },
  product_ids: {
    stored: distinct,
    schema: z.array(Id).max(100).describe("Ids of the products that give access to the file when sold"),
    initial: [],
  },
  published: { schema: z.boolean().describe("True if the file is visible to customers"), initial: false, input: {} },
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

/** Filters for the list of all files. */
export const fileFilters = {
  search: z.string().max(200).optional().describe("Words of the name or file name. The last word may be incomplete"),
  access: z.enum(fileAccess).optional(),
  published: BooleanText.optional(),
};

export const FilesQuery = z.strictObject({ ...pageFields, ...cursorFields, ...fileFilters }).refine(...withoutPages);
export type FilesQuery = z.output<typeof FilesQuery>;
export type FileFilters = Omit<FilesQuery, keyof typeof pageFields | keyof typeof cursorFields>;

export const Sha256 = z
  .string()
  .toLowerCase()
  .regex(/^[0-9a-f]{64}$/, "must be a SHA-256 in hex")
  .describe("SHA-256 of the content in hex. Content with another checksum is rejected");

/** Fields of an uploaded file. Without a name, it takes the uploaded file's name. */
export const NewFile = z.strictObject({ ...newShape(fileFields), sha256: Sha256.optional() }).meta({ id: "NewFile" });
export type NewFile = z.output<typeof NewFile>;

export const NewVersion = z.strictObject({ sha256: Sha256.optional() });
export type NewVersion = z.output<typeof NewVersion>;

export const FileUpdate = partialUpdate("FileUpdate", { ...changeShape(fileFields), file_name: FileName });
export type FileUpdate = z.output<typeof FileUpdate>;

/** Converts the fields of a multipart form to a schema's shape. Empty fields count as absent. */
export const fromForm = <Schema extends z.ZodType>(schema: Schema, fields: FormFields): z.output<Schema> => {
  const sent = Object.entries(fields).filter(([, values]) => values.some((value) => value !== ""));
  return valid(
    schema,
    Object.fromEntries(sent.map(([name, values]) => [name, readers.get(name)?.(values) ?? only(values)])),
  );
};

/** A field that was sent twice stays a list, which the schema refuses. */
const only = (values: string[]): unknown => (values.length === 1 ? values[0] : values);

const flags = new Map([
  ["true", true],
  ["false", false],
]);

/** An invalid value stays a string, which the schema refuses. */
const readers = new Map<string, (values: string[]) => unknown>([
  ["product_ids", (values) => values.map((value) => (/^\d{1,16}$/.test(value) ? Number(value) : value))],
  ["published", (values) => flags.get(values.join()) ?? only(values)],
]);

/** A file in the administration API. */
export type AdminFileRow = FileRow & { productIds: number[] };

export const AdminFile = z
  .object({
    ...shownFile,
    version: z.int(),
    access: z.enum(fileAccess),
    product_ids: z.array(z.int()),
    published: z.boolean(),
    published_at: Timestamp.nullable(),
    created_at: Timestamp,
    updated_at: Timestamp,
  } satisfies ResponseSchemas<typeof fileFields>)
  .meta({ id: "AdminFile" });

export const toAdminFile = (row: AdminFileRow): z.output<typeof AdminFile> =>
  toRecord(AdminFile, row, {
    published: row.publishedAt !== null,
  });
