import type { DecimalSeparator } from "../../../domain/numbers.ts";
import { beginningOf } from "../../../domain/text.ts";
import { type StorageContext, storeBytes } from "../../../downloads/files/public.ts";
import { requireRow } from "../../../platform/db/client.ts";
import type { AmbiguousColumn, ImportEncoding, ImportResource, LeftOutColumn } from "../../../platform/db/schema.ts";
import type { RowNames, Survey } from "./csv-rows.ts";
import { UndecidedNumbers } from "./decided-rows.ts";
import { guessEncoding, surveyBytes } from "./guess-encoding.ts";
import { type ImportRecord, MAX_ROW_CHARACTERS, MAX_ROWS, UnreadableFile } from "./record.ts";
import { type NumberReading, type ReadFile, readRecords } from "./records.ts";
import { decodeText, ENCODING_BYTES, encodingOf, isUnicode, NotUtf8 } from "./text.ts";

export type ConvertedFile = Pick<ReadFile, "format" | "columns"> & {
  recordsKey: string;
  encoding: ImportEncoding;
  encodingExamples: string[];
  ambiguousColumns: AmbiguousColumn[];
  leftOut: LeftOutColumn[];
  /** Rows of the file, and how many of them became no record. */
  rows: number;
  skipped: number;
};

/** The uploaded file, with the encoding, decimal separator and fields of columns if they were chosen. */
type Upload = {
  r2Key: string;
  resource: ImportResource;
  chosenEncoding: ImportEncoding | null;
  decimalSeparator: DecimalSeparator | null;
  columnFields: Record<string, string | null>;
};

/** How a file is read. In strict mode, undecodable bytes are an error of the whole file. */
type ReadingMode = {
  encoding: ImportEncoding;
  isStrict: boolean;
  numbers: NumberReading;
  surveyed?: Survey;
};

/** Ends a first pass that only examined a file. */
class SurveyEnd extends Error {
  readonly surveyed: Survey;
  constructor(surveyed: Survey) {
    super();
    this.surveyed = surveyed;
  }
}

/**
 * Reads an upload of any format and encoding, and stores its rows as records, one per line. `heartbeat` is called now and
 * then. If the reading assumptions prove wrong, the file is read again.
 */
export async function convert(
  ctx: StorageContext,
  upload: Upload,
  heartbeat: () => Promise<unknown>,
): Promise<ConvertedFile> {
  const open = () => bytesOfUpload(ctx.env.FILES, upload.r2Key, heartbeat);
  const head = requireRow(await ctx.env.FILES.get(upload.r2Key, { range: { offset: 0, length: ENCODING_BYTES } }));
  const encoding = upload.chosenEncoding ?? encodingOf(await head.bytes());
  let reading: ReadingMode = { encoding, isStrict: encoding === "utf-8", numbers: upload.decimalSeparator };
  for (;;) {
    try {
      return await convertFrom(ctx, upload, await open(), reading);
    } catch (error) {
      if (error instanceof UndecidedNumbers) reading = { ...reading, numbers: error.separators };
      else if (error instanceof SurveyEnd) reading = { ...reading, surveyed: error.surveyed };
      else if (!(error instanceof NotUtf8)) throw error;
      else {
        const { bytes } = await open();
        const found = upload.chosenEncoding ?? guessEncoding(await surveyBytes(bytes));
        reading = { ...reading, encoding: found, isStrict: false };
      }
    }
  }
}

const HEARTBEAT_BYTES = 1024 * 1024;

async function bytesOfUpload(bucket: R2Bucket, r2Key: string, heartbeat: () => Promise<unknown>) {
  const { body, size } = requireRow(await bucket.get(r2Key));
  async function* chunks() {
    let read = 0;
    for await (const chunk of body) {
      yield chunk;
      read += chunk.length;
      if (read < HEARTBEAT_BYTES) continue;
      await heartbeat();
      read = 0;
    }
  }
  return { bytes: chunks(), size };
}

async function convertFrom(
  ctx: StorageContext,
  { resource, columnFields }: Upload,
  { bytes, size }: { bytes: AsyncIterable<Uint8Array>; size: number },
  { encoding, isStrict, numbers, surveyed }: ReadingMode,
): Promise<ConvertedFile> {
  const text = decodeText(bytes, encoding, isStrict);
  const read = await readRecords(text, resource, { numbers, hasBadBytes: !isStrict, columnFields, surveyed });
  if (read.survey) throw new SurveyEnd(await read.survey());
  const { format, records, columns, leftOut, rows, ambiguous } = read;
  let count = 0;
  let used = 0;
  let line = 0;
  const examples = new Set<string>();
  const look = (record: ImportRecord): number => {
    if (!isUnicode(encoding)) addExamples(examples, record);
    // One row can create a product and its first variant, in this order.
    if (record.line !== line) used++;
    line = record.line;
    return ++count;
  };
  const recordsKey = await storeBytes(ctx, bytesOf(records, recordsLimit(size), look));
  return {
    recordsKey,
    format,
    columns,
    encoding,
    encodingExamples: [...examples],
    rows: count,
    leftOut: leftOut(),
    ambiguousColumns: ambiguous(),
    skipped: rows() - used,
  };
}

const MOST_EXAMPLES = 3;
const LONGEST_EXAMPLE = 80;

/** Collects texts that look different in another encoding. */
function addExamples(examples: Set<string>, { fields = {} }: ImportRecord): void {
  for (const value of Object.values(fields)) {
    if (examples.size >= MOST_EXAMPLES) return;
    if (typeof value === "string" && /[^\0-\x7f]/.test(value)) examples.add(beginningOf(value, LONGEST_EXAMPLE));
  }
}

const ENCODE_CHARACTERS = 1024 * 1024;

/**
 * Maximum characters of the records from a file of `bytes`, because each variant repeats data that its product's rows
 * contain once.
 */
const recordsLimit = (bytes: number): number => 16 * 1024 * 1024 + 50 * bytes;

async function* bytesOf(
  records: AsyncIterable<ImportRecord>,
  limit: number,
  count: (record: ImportRecord) => number,
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  const seen = new Set<unknown>();
  const parents = new ParentsAbove();
  const tooBig = ({ line }: ImportRecord, message: string) => new UnreadableFile({ line, code: "too_big", message });
  let text = "";
  let characters = 0;
  for await (const record of records) {
    if (count(record) > MAX_ROWS) throw tooBig(record, `The file has more than ${MAX_ROWS} rows`);
    const line = `${lineOf(parents.place(onlyOnce(record, seen)))}\n`;
    characters += line.length;
    if (characters > limit)
      throw tooBig(record, "The file expands to more than 50 times its size. Split it into smaller files");
    text += line;
    if (text.length < ENCODE_CHARACTERS) continue;
    yield encoder.encode(text);
    text = "";
  }
  yield encoder.encode(text);
}

/** Fails a record too large for any slice, whether from a row with long cells or many rows of one product. */
function lineOf(record: ImportRecord): string {
  const text = JSON.stringify(record);
  if (text.length <= MAX_ROW_CHARACTERS) return text;
  const { line } = record;
  const message = `is longer than ${MAX_ROW_CHARACTERS} characters including its related rows`;
  return JSON.stringify({ line, failures: [{ line, code: "too_big", message }] } satisfies ImportRecord);
}

/** Longest SKU or e-mail address that can be valid. */
const LONGEST_NAME = 254;

/** Fails the later of two records with one SKU or e-mail address, which would write one row twice. */
function onlyOnce(record: ImportRecord, seen: Set<unknown>): ImportRecord {
  if (record.failures) return record;
  const field = record.fields?.sku === undefined ? "email" : "sku";
  const name = record.fields?.[field];
  // A longer value is refused anyway, so it is not remembered.
  if (typeof name !== "string" || name.length > LONGEST_NAME) return record;
  const key = field === "sku" ? name.trim() : name.trim().toLowerCase();
  if (!seen.has(key)) {
    seen.add(key);
    return record;
  }
  const failure = { line: record.line, field, code: "repeated", message: "also occurs in an earlier row" };
  return { line: record.line, fields: namesOf(record), failures: [failure] };
}

const namesOf = ({ fields = {} }: ImportRecord): RowNames => ({ sku: fields.sku, name: fields.name });

/** The products with options read so far, which variants need to find their product. */
class ParentsAbove {
  readonly #skus = new Set<unknown>();
  readonly #skusById = new Map<unknown, unknown>();

  /** Remembers a product with options. Adds its product's SKU to a variant, and marks the variant if that product is above it. */
  place(record: ImportRecord): ImportRecord {
    const { fields, failures } = record;
    if (!fields || failures) return record;
    const { id, parent_id, options } = fields;
    if (Array.isArray(options) && options.length > 0) {
      const sku = trimmed(fields.sku);
      this.#skus.add(sku);
      if (id !== undefined) this.#skusById.set(id, sku);
      return record;
    }
    const parent = trimmed(fields.parent_sku ?? this.#skusById.get(parent_id ?? undefined));
    if (parent === undefined) return record;
    return {
      ...record,
      fields: { ...fields, parent_sku: parent },
      ...(this.#skus.has(parent) && { isBelowParent: true }),
    };
  }
}

const trimmed = (sku: unknown): unknown => (typeof sku === "string" ? sku.trim() : sku);
