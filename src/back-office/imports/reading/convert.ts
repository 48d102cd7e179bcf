import { type Stores, storeBytes } from "../../../downloads/files/public.ts";
import { requireRow } from "../../../platform/db/client.ts";
import type { ImportFormat, ImportResource, LeftOutColumn } from "../../../platform/db/schema.ts";
import { MAX_ROW_CHARACTERS, MAX_ROWS } from "../limits.ts";
import type { ReadRecords } from "./mapping.ts";
import { type ImportRecord, UnreadableFile } from "./record.ts";
import { readRecords } from "./records.ts";
import { encodingOf, NotUtf8, textOf } from "./text.ts";

export type Converted = { recordsKey: string; format: ImportFormat; rows: number } & Pick<ReadRecords, "columns"> & {
    leftOut: LeftOutColumn[];
  };

/** What was uploaded. */
type Upload = { r2Key: string; resource: ImportResource };

/** Reads an upload, of whatever format and encoding, and stores its rows as records, one a line; `heartbeat` is called now and then. */
export async function convert(stores: Stores, upload: Upload, heartbeat: () => Promise<unknown>): Promise<Converted> {
  const head = requireRow(await stores.bucket.get(upload.r2Key, { range: { offset: 0, length: 2 } }));
  const encoding = encodingOf(await head.bytes());
  try {
    return await convertFrom(stores, upload, encoding, heartbeat);
  } catch (error) {
    if (!(error instanceof NotUtf8)) throw error;
    // What older programs on Windows write; any byte is a character of it.
    return convertFrom(stores, upload, "windows-1252", heartbeat);
  }
}

async function convertFrom(
  stores: Stores,
  { r2Key, resource }: Upload,
  encoding: string,
  heartbeat: () => Promise<unknown>,
): Promise<Converted> {
  const { body, size } = requireRow(await stores.bucket.get(r2Key));
  const { format, records, columns, leftOut } = await readRecords(textOf(body, encoding), resource);
  let rows = 0;
  const recordsKey = await storeBytes(
    stores,
    bytesOf(records, recordsLimit(size), () => ++rows, heartbeat),
  );
  return { recordsKey, format, rows, columns, leftOut: leftOut() };
}

const ENCODE_CHARACTERS = 1024 * 1024;

/** Characters that the records of a file of so many bytes may have: each variant repeats what its product's rows say once. */
const recordsLimit = (bytes: number): number => 16 * 1024 * 1024 + 50 * bytes;

async function* bytesOf(
  records: AsyncIterable<ImportRecord>,
  limit: number,
  count: () => number,
  heartbeat: () => Promise<unknown>,
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  const seen = new Set<unknown>();
  const tooBig = ({ line }: ImportRecord, message: string) => new UnreadableFile({ line, code: "too_big", message });
  let text = "";
  let characters = 0;
  for await (const record of records) {
    if (count() > MAX_ROWS) throw tooBig(record, `The file has more than ${MAX_ROWS} rows`);
    const line = `${lineOf(onlyOnce(record, seen))}\n`;
    characters += line.length;
    if (characters > limit)
      throw tooBig(record, "The file's rows are over 50 times its size once each has all of its product");
    text += line;
    if (text.length < ENCODE_CHARACTERS) continue;
    yield encoder.encode(text);
    await heartbeat();
    text = "";
  }
  yield encoder.encode(text);
}

/** A record that no slice could hold fails, whatever it was made of: a row of long cells, or many that are one product's. */
function lineOf(record: ImportRecord): string {
  const text = JSON.stringify(record);
  if (text.length <= MAX_ROW_CHARACTERS) return text;
  const { line } = record;
  const message = `is longer than ${MAX_ROW_CHARACTERS} characters with all that belongs to it`;
  return JSON.stringify({ line, failures: [{ line, code: "too_big", message }] } satisfies ImportRecord);
}

/** Of an SKU or an e-mail address that may be right. */
const LONGEST_NAME = 254;

/** A file that has an SKU or an e-mail address twice would write the same row twice: the later one fails. */
function onlyOnce(record: ImportRecord, seen: Set<unknown>): ImportRecord {
  const field = record.fields?.sku === undefined ? "email" : "sku";
  const name = record.fields?.[field];
  // What is longer is refused for that, and not remembered.
  if (typeof name !== "string" || name.length > LONGEST_NAME) return record;
  const key = field === "sku" ? name.trim() : name.trim().toLowerCase();
  if (!seen.has(key)) {
    seen.add(key);
    return record;
  }
  const failure = { line: record.line, field, code: "repeated", message: "stands in an earlier row too" };
  return { line: record.line, failures: [failure] };
}
