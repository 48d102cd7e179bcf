import { tooLarge } from "../errors.ts";

/** What the platform takes in one request. */
const MAX_BODY_BYTES = 100_000_000;

const beyond = () => tooLarge("100 MB: send larger files in parts, by POST /api/v1/admin/files/uploads");

/** The bytes of a request, refused at once when it says that they are too many, else as soon as they are. */
export function boundedBody(request: Request): AsyncIterable<Uint8Array> {
  if (Number(request.headers.get("Content-Length")) > MAX_BODY_BYTES) throw beyond();
  return counted(request.body);
}

async function* counted(body: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) throw beyond();
    yield chunk;
  }
}
