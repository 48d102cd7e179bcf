import { StorefrontError } from "./error.ts";
import { backoff, type Send } from "./retry.ts";
import { wait } from "./wait.ts";

/** Connections in a row that may break without delivering a byte. */
const MAX_FRUITLESS = 4;

/** Streams the bytes behind a link. A broken connection is resumed where it broke. */
export async function* bytesOf(
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
    if (received > 0 && response.status !== 206) throw new Error("The file is another one now: begin anew");
    etag = response.headers.get("ETag") ?? "";
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

export async function* chunksOf({ body }: Response): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  if (!body) return;
  const reader = body.getReader();
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) yield part.value;
  } finally {
    // A broken or finished body has nothing to cancel.
    await reader.cancel().catch(() => undefined);
  }
}
