import { tooLarge } from "../../domain/errors.ts";

/** What the platform takes in one request. */
const MAX_BODY_BYTES = 100_000_000;

export const tooLong = () =>
  tooLarge(MAX_BODY_BYTES, "100 MB: send larger files in parts, by POST /api/v1/admin/uploads");

/** The bytes of a request, refused as soon as they are too many. */
export function boundedBody(request: Request) {
  const reader = request.body?.getReader();
  let arrived = 0;
  let lastRead: Promise<unknown> = Promise.resolve();

  async function read(): Promise<Uint8Array | undefined> {
    const { value } = (await reader?.read()) ?? {};
    arrived += value?.length ?? 0;
    if (arrived > MAX_BODY_BYTES) throw tooLong();
    return value;
  }

  /** One read after the other: the body of a request takes no two at a time. */
  function next(): Promise<Uint8Array | undefined> {
    const reading = lastRead.then(read);
    lastRead = reading.catch(() => undefined);
    return reading;
  }

  async function* bytes(): AsyncGenerator<Uint8Array> {
    for (let chunk = await next(); chunk; chunk = await next()) yield chunk;
  }

  return {
    bytes: bytes(),
    /** Whether the request says beforehand that its bytes are too many. */
    isTooLong: Number(request.headers.get("Content-Length")) > MAX_BODY_BYTES,
    /** Lets the sender come to an end: one that is refused amid sending would not get to read why. */
    drain: async () => {
      while (await next());
    },
  };
}
