// Reading responses of other servers, which may be of any size.

/** Reads a body as text. Throws if it is longer than `most` bytes. */
export async function readAtMost(body: ReadableStream<Uint8Array> | null, most: number): Promise<string> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of body ?? []) {
    length += part.length;
    // Leaving the loop cancels the stream.
    if (length > most) throw new Error(`The body is longer than ${most} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}

/** Seconds of a Cache-Control header's max-age, 0 without one or if nothing may be stored. */
export function maxAgeOf(cacheControl: string | null): number {
  if (/\bno-(store|cache)\b/i.test(cacheControl ?? "")) return 0;
  return Number(/\bmax-age=(\d{1,9})\b/i.exec(cacheControl ?? "")?.[1] ?? 0);
}
