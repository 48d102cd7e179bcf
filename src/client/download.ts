import { encode as toHex } from "@stablelib/hex";
import { SHA256 } from "@stablelib/sha256";
import { StorefrontError } from "./error.ts";
import { backoff, type Send, wait } from "./retry.ts";
import type { Call } from "./types.ts";

export type FileDownload = {
  fileName: string;
  mimeType: string;
  sizeBytes: number;
  sha256: string;
  /** Null if unlimited. */
  downloadsRemaining: number | null;
  /** Throws at the end if the length or SHA-256 differs from the file's. Do not use the content before that. */
  body: ReadableStream<Uint8Array<ArrayBuffer>>;
};

/** Starts a download. The file is read only as fast as the body is, and the download counts when the first bytes flow. */
export async function downloadFile(
  GET: Call<"get">,
  send: Send,
  fileId: number,
  signal: AbortSignal,
): Promise<FileDownload> {
  const query = { file_id: fileId };
  const { data: file } = await GET("/api/v1/user/download-file", { params: { query }, signal });
  const bytes = file.kind === "data" ? chunksOf(new Response(file.content)) : bytesOf(send, file, signal);
  return {
    fileName: file.file_name,
    mimeType: file.mime_type,
    sizeBytes: file.size_bytes,
    sha256: file.sha256,
    downloadsRemaining: file.downloads_remaining,
    body: streamOf(verified(bytes, file)),
  };
}

type Bytes = AsyncGenerator<Uint8Array<ArrayBuffer>, void>;

/** Hashes incrementally, because Web Crypto can only hash data that is completely in memory. */
async function* verified(bytes: Bytes, expected: { size_bytes: number; sha256: string }): Bytes {
  const hash = new SHA256();
  let length = 0;
  for await (const chunk of bytes) {
    hash.update(chunk);
    length += chunk.length;
    yield chunk;
  }
  if (length !== expected.size_bytes)
    throw new Error(`The download is damaged: received ${length} of ${expected.size_bytes} bytes`);
  if (toHex(hash.digest(), true) !== expected.sha256) throw new Error("The download is damaged: its SHA-256 is wrong");
}

const streamOf = (bytes: Bytes): FileDownload["body"] =>
  new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await bytes.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        await bytes.return();
      },
    },
    { highWaterMark: 0 },
  );

/** Maximum number of consecutive connections that may break without delivering a byte. */
const MAX_FRUITLESS = 4;

/** Streams the bytes behind a link. A broken connection is resumed where it broke. */
async function* bytesOf(
  send: Send,
  { url, size_bytes }: { url: string; size_bytes: number },
  signal: AbortSignal,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  let received = 0;
  let etag = "";
  for (let fruitless = 0; received < size_bytes; fruitless++) {
    if (fruitless > 0) await wait(backoff(fruitless), signal);
    const rest = { Range: `bytes=${received}-`, "If-Range": etag };
    const response = await send(new Request(url, { signal, headers: received > 0 ? rest : {} }));
    if (!response.ok) throw new StorefrontError(response, await response.json().catch(() => null));
    if (received > 0 && response.status !== 206) throw new Error("The file has changed. Start the download again");
    // An intermediary that compresses makes the ETag weak, which If-Range does not accept. The bytes counted here are
    // decompressed, so they are the file's own, and the strong ETag names them.
    etag = (response.headers.get("ETag") ?? "").replace(/^W\//, "");
    try {
      for await (const chunk of chunksOf(response)) {
        received += chunk.length;
        fruitless = 0;
        yield chunk;
      }
    } catch (fault) {
      if (signal.aborted || fruitless >= MAX_FRUITLESS) throw fault;
    }
    if (fruitless > MAX_FRUITLESS) throw new Error(`The download ended after ${received} of ${size_bytes} bytes`);
  }
}

async function* chunksOf({ body }: Response): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  if (!body) return;
  const reader = body.getReader();
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) yield part.value;
  } finally {
    // A broken or finished body has nothing to cancel.
    await reader.cancel().catch(() => undefined);
  }
}
