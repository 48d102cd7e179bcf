import * as z from "zod";
import { requireRow } from "../../../platform/db/client.ts";
import { ImportRecord } from "./record.ts";

/** Where the next slice of the records begins: in bytes. */
export const Offset = z.object({ offset: z.int() });
export type Offset = z.output<typeof Offset>;

/** A statement may be given two megabytes: what is written of a record is two or three times as long as itself. */
const SLICE_BYTES = 512 * 1024;
/** A record alone may be longer, if all its characters are. */
const MOST_BYTES = 4 * 1024 * 1024;

const NEWLINE = 10;

/** How much of a file a slice may be: so many records, and so many addresses of pictures unless one record has more. */
export type Most = { records: number; pictures: number };

/** Reads the records from an offset on. */
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
