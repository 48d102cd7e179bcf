import { exports } from "cloudflare:workers";

type Edge = {
  /** Breaks off the first response of more than this many bytes. */
  breaksAfter?: number;
  /** Compresses although the response forbids it, as other intermediaries may. */
  ignoresNoTransform?: boolean;
};

/**
 * Sends requests to the Worker and changes responses as Cloudflare's edge does when it compresses them: only those with
 * status 200 and without `no-transform` (developers.cloudflare.com/speed/optimization/content/compression). Their strong ETags become weak
 * (developers.cloudflare.com/cache/reference/etag-headers). A `fetch` shows its caller the decompressed body, so the body stays.
 */
export function anEdge({ breaksAfter, ignoresNoTransform = false }: Edge = {}) {
  let breaks = breaksAfter;
  return async (request: Request): Promise<Response> => {
    const answer = await exports.default.fetch(request);
    const headers = new Headers(answer.headers);
    const etag = headers.get("ETag");
    const isKept = !ignoresNoTransform && headers.get("Cache-Control")?.includes("no-transform");
    if (answer.status === 200 && !isKept && etag?.startsWith('"')) headers.set("ETag", `W/${etag}`);
    const { status } = answer;
    if (breaks === undefined || !answer.body || Number(headers.get("Content-Length")) <= breaks)
      return new Response(answer.body, { status, headers });
    const body = brokenOff(answer.body, breaks);
    breaks = undefined;
    return new Response(body, { status, headers });
  };
}

/** The first bytes of a body, followed by an error. */
function brokenOff(body: ReadableStream<Uint8Array>, after: number): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let sent = 0;
  return new ReadableStream({
    async pull(controller) {
      if (sent >= after) {
        await reader.cancel();
        return controller.error(new Error("Network connection lost."));
      }
      const { done, value } = await reader.read();
      if (done) return controller.close();
      sent += value.length;
      controller.enqueue(value);
    },
  });
}
