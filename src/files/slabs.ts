/**
 * The bytes of a stream in slabs of `size`, the last of which is shorter or empty. All of them are one piece of memory,
 * filled anew each time: a slab is used before the next one is asked for.
 */
export async function* slabs(
  bytes: AsyncIterable<Uint8Array>,
  size: number,
): AsyncGenerator<{ slab: Uint8Array; last: boolean }> {
  const memory = new Uint8Array(size);
  let filled = 0;
  for await (const chunk of bytes) {
    for (let from = 0; from < chunk.length; ) {
      const piece = chunk.subarray(from, from + size - filled);
      memory.set(piece, filled);
      filled += piece.length;
      from += piece.length;
      if (filled === size) {
        yield { slab: memory, last: false };
        filled = 0;
      }
    }
  }
  yield { slab: memory.subarray(0, filled), last: true };
}
