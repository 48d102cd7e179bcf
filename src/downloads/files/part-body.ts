import { badRequest, fieldError, unsupportedMediaType } from "../../domain/errors.ts";

const TYPE = "application/octet-stream";

/** Hands the bytes of a request on as they come in, and refuses any other number of them than `size`. */
export async function readPart<T>(
  request: Request,
  size: number,
  use: (bytes: ReadableStream) => Promise<T>,
): Promise<T> {
  if (request.headers.get("Content-Type")?.toLowerCase() !== TYPE) throw unsupportedMediaType(TYPE);
  const announced = request.headers.get("Content-Length");
  if (!request.body || (announced !== null && Number(announced) !== size)) throw otherSize(size);
  let arrived = 0;
  let ended = false;
  const counting = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      arrived += chunk.length;
      controller.enqueue(chunk);
    },
    flush() {
      ended = true;
    },
  });
  // R2 wants to know how many bytes come.
  const { readable, writable } = new FixedLengthStream(size);
  const piped = request.body.pipeThrough(counting).pipeTo(writable);
  piped.catch(() => undefined);
  try {
    return await use(readable);
  } catch (error) {
    throw arrived > size || (ended && arrived < size) ? otherSize(size) : error;
  }
}

const otherSize = (size: number) => badRequest(fieldError("body", "invalid", `must be the part's ${size} bytes`));
