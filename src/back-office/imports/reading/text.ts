import type { ImportEncoding } from "../../../platform/db/schema.ts";

const unicode: readonly ImportEncoding[] = ["utf-8", "utf-16le", "utf-16be"];
export const isUnicode = (encoding: ImportEncoding): boolean => unicode.includes(encoding);

/** The text is not UTF-8. */
export class NotUtf8 extends Error {}

/** How many bytes are inspected to detect UTF-16. */
export const ENCODING_BYTES = 1024;

/** Detects UTF-16 by its byte order mark, or by zeros in every other byte of Latin text. */
export function encodingOf(head: Uint8Array): ImportEncoding {
  const [first, second] = head;
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  const zeros = (parity: number) => head.filter((byte, at) => byte === 0 && at % 2 === parity).length;
  if (zeros(1) > head.length / 4 && zeros(0) === 0) return "utf-16le";
  return zeros(0) > head.length / 4 && zeros(1) === 0 ? "utf-16be" : "utf-8";
}

/** Yields a file's text without byte order mark. `isStrict` refuses invalid bytes. */
export async function* decodeText(
  bytes: AsyncIterable<Uint8Array>,
  encoding: ImportEncoding,
  isStrict: boolean,
): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: isStrict, ignoreBOM: false });
  try {
    for await (const chunk of bytes) yield decoder.decode(chunk, { stream: true });
    yield decoder.decode();
  } catch (error) {
    if (isStrict && error instanceof TypeError) throw new NotUtf8();
    throw error;
  }
}
