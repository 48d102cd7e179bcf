import * as z from "zod";
import { UnitsAdjustment } from "../../../catalogue/products/public.ts";
import { Id } from "../../../domain/fields.ts";
import { requireRow } from "../../../platform/db/client.ts";
import type { RowFailure } from "../../../platform/jobs/run-slice.ts";

/** Maximum characters per row of a file. */
export const MAX_ROW_CHARACTERS = 256 * 1024;

export const MAX_COLUMNS = 1_000;

export const MAX_ROWS = 500_000;

/** Maximum id in a row. Ids of later rows are greater and must remain exact integers in JSON. */
const MAX_ID = 2 ** 52;

export const ImportedId = Id.max(MAX_ID);

const Picture = z.object({ url: z.string(), alt: z.string() });

/** A row of an import in any format: its fields by API name, before validation. */
export const ImportRecord = z.object({
  line: z.int(),
  fields: z.record(z.string(), z.unknown()).optional(),
  /** Fields for new products only, unless the row sets them. */
  ifNew: z.record(z.string(), z.unknown()).optional(),
  /** Reasons why the record cannot create a product. */
  onlyUpdates: z.custom<RowFailure>().optional(),
  /** True for a variant whose product is above it in the file. */
  isBelowParent: z.boolean().optional(),
  /** Reasons why the record could not be read. */
  failures: z.array(z.custom<RowFailure>()).optional(),
  /** Warnings about data that the import cannot preserve. */
  warnings: z.array(z.custom<RowFailure>()).optional(),
  /** Source columns of fields, where they differ between rows. */
  columns: z.record(z.string(), z.string()).optional(),
  /** Pictures to fetch. */
  pictures: z.array(Picture).optional(),
  /** Images of the pictures that could be fetched, if some failed. */
  partialImages: z.array(Picture).optional(),
  /** A program's adjustment of the stock, or null if it sent none. Then `stock_quantity` changes no managed stock. */
  adjustment: UnitsAdjustment.nullable().optional(),
});
export type ImportRecord = z.output<typeof ImportRecord>;

/** The file as a whole cannot be read. */
export class UnreadableFile extends Error {
  readonly failure: RowFailure;
  /** Names of the file's columns, if none of them identifies the rows. */
  readonly header: string[];
  constructor(failure: RowFailure, header: string[] = []) {
    super(failure.message);
    this.failure = failure;
    this.header = header;
  }
}

/** Byte offset of the next slice of records. */
export const Offset = z.object({ offset: z.int() });
export type Offset = z.output<typeof Offset>;

/** A statement takes up to two megabytes, and what is written per record is two or three times its size. */
const SLICE_BYTES = 512 * 1024;
/** Limit for a single long record, even if all its characters take several bytes. */
const MOST_BYTES = 4 * 1024 * 1024;

const NEWLINE = 10;

/** Limits of a slice: records, and picture URLs unless a single record has more. */
type Most = { records: number; pictures: number };

/** Reads records from an offset. */
export async function readSlice(bucket: R2Bucket, recordsKey: string, { offset }: Offset, most: Most) {
  for (let length = SLICE_BYTES; ; length = MOST_BYTES) {
    const object = requireRow(await bucket.get(recordsKey, { range: { offset, length } }));
    const bytes = await object.bytes();
    const { end, records, pictures } = recordsIn(bytes, most);
    if (records.length === 0 && bytes.length > 0 && length < MOST_BYTES) continue;
    const next = offset + end < object.size && end > 0 ? { offset: offset + end } : null;
    return { records, pictures, next };
  }
}

function recordsIn(bytes: Uint8Array, most: Most) {
  const decoder = new TextDecoder();
  const records: ImportRecord[] = [];
  const pictures = new Set<string>();
  let end = 0;
  for (let at = bytes.indexOf(NEWLINE); at >= 0 && records.length < most.records; at = bytes.indexOf(NEWLINE, end)) {
    const record = ImportRecord.parse(JSON.parse(decoder.decode(bytes.subarray(end, at))));
    const urls = new Set(record.pictures?.flatMap(({ url }) => (pictures.has(url) ? [] : [url])));
    if (records.length > 0 && pictures.size + urls.size > most.pictures) break;
    for (const url of urls) pictures.add(url);
    records.push(record);
    end = at + 1;
  }
  return { end, records, pictures: [...pictures] };
}
