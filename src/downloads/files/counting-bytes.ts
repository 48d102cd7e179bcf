/** Passes a file's bytes on and counts those that were read: `ended` gives the count at the end, or when the client disconnects. */
export function countingBytes(content: ReadableStream<Uint8Array>, length: number) {
  let taken = 0;
  const counting = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      taken += chunk.length;
      controller.enqueue(chunk);
    },
  });
  const { readable, writable } = new FixedLengthStream(length);
  const passed = content.pipeThrough(counting).pipeTo(writable);
  const ended = passed.catch(() => undefined).then(() => taken);
  return { readable, ended };
}
