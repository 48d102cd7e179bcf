/** The text is not UTF-8. */
export class NotUtf8 extends Error {}

type Bytes = ReadableStream<Uint8Array>;

/** By its byte order mark: spreadsheets write UTF-16 with one. */
export function encodingOf([first, second]: Uint8Array): "utf-16le" | "utf-16be" | "utf-8" {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
}

/** The text of a file as it comes in, without its byte order mark. */
export async function* textOf(bytes: Bytes, encoding: string): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: encoding === "utf-8", ignoreBOM: false });
  try {
    for await (const chunk of bytes) yield decoder.decode(chunk, { stream: true });
    yield decoder.decode();
  } catch (error) {
    if (encoding === "utf-8" && error instanceof TypeError) throw new NotUtf8();
    throw error;
  }
}
