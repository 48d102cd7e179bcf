/**
 * The bytes of a stream in chunks of `size`, the last of which is shorter or empty. All chunks share one buffer, which is
 * overwritten each time: use a chunk before asking for the next one.
 */
export async function* chunksOf(
  bytes: AsyncIterable<Uint8Array>,
  size: number,
): AsyncGenerator<{ chunk: Uint8Array; last: boolean }> {
  const buffer = new Uint8Array(size);
  let filled = 0;
  for await (const read of bytes) {
    for (let from = 0; from < read.length; ) {
      const piece = read.subarray(from, from + size - filled);
      buffer.set(piece, filled);
      filled += piece.length;
      from += piece.length;
      if (filled === size) {
        yield { chunk: buffer, last: false };
        filled = 0;
      }
    }
  }
  yield { chunk: buffer.subarray(0, filled), last: true };
}
