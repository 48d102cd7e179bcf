import type { Context } from "hono";
import { notFound } from "../../domain/errors.ts";
import { orUnavailable } from "../../downloads/files/public.ts";
import { inBackground } from "../../platform/http/background.ts";
import { logFault } from "../../platform/http/log.ts";
import { setSecurityHeaders } from "../../platform/http/security-headers.ts";
import { isNotModified } from "../../platform/http/version.ts";
import { hashInPath, type ImageWidth, imageName, objectKey } from "./address.ts";

/** The content of an image URL never changes. */
const FOR_EVER = "public, max-age=31536000, immutable";

/** An image that could not be resized is sent in its original size, and resizing is tried again after a day. */
const FOR_A_DAY = "public, max-age=86400";

type Asked = Pick<Context, "executionCtx"> & { env: Env; req: { url: string; raw: Request } };

/** Responds with an image, or a resized version of it, from the data centre's cache if possible. */
export async function serveImage(c: Asked, name: string, width: ImageWidth | undefined): Promise<Response> {
  const sha256 = hashInPath(`/images/${name}`);
  if (!sha256) throw notFound("This image");
  const key = `${new URL(c.req.url).origin}/images/${name}${width === undefined ? "" : `?width=${width}`}`;
  const cached = await findCached(key);
  if (cached) return orNotModified(c.req.raw, cached);
  const image = await readImage(c.env, sha256, name, width);
  inBackground(c, "cache an image", caches.default.put(key, image.clone()));
  return orNotModified(c.req.raw, image);
}

async function findCached(key: string): Promise<Response | undefined> {
  try {
    const cached = await caches.default.match(key);
    // Copies the response to make its headers mutable.
    return cached && new Response(cached.body, cached);
  } catch (error) {
    logFault("the cache of images cannot be read", error);
    return undefined;
  }
}

async function readImage(env: Env, sha256: string, name: string, width: ImageWidth | undefined): Promise<Response> {
  const object = await orUnavailable(env.FILES.get(objectKey(sha256)));
  const type = object?.httpMetadata?.contentType;
  if (!object || !type || imageName(sha256, type) !== name) throw notFound("This image");
  if (width === undefined) return answer(object.body, type, `"${sha256}"`, FOR_EVER);
  const bytes = await object.arrayBuffer();
  const smaller = await resized(env, bytes, width);
  if (smaller) return answer(smaller.body, smaller.type, `"${sha256}-${width}"`, FOR_EVER);
  return answer(bytes, type, `"${sha256}"`, FOR_A_DAY);
}

function answer(body: BodyInit, type: string, etag: string, caching: string): Response {
  const headers = new Headers({ "Content-Type": type, ETag: etag, "Cross-Origin-Resource-Policy": "cross-origin" });
  setSecurityHeaders(headers);
  headers.set("Cache-Control", caching);
  return new Response(body, { headers });
}

async function orNotModified(request: Request, image: Response): Promise<Response> {
  const { headers, body } = image;
  if (!isNotModified(request.headers, headers.get("ETag") ?? "")) return image;
  await body?.cancel();
  headers.delete("Content-Type");
  return new Response(null, { status: 304, headers });
}

type Resized = { body: ReadableStream; type: string };

/**
 * Scales an image down to a width, as WebP, without metadata and correctly rotated. Returns null if the deployment has no
 * Images binding or resizing fails, as it does for AVIF or beyond the quota.
 */
async function resized(
  { IMAGES }: Partial<Pick<Env, "IMAGES">>,
  bytes: ArrayBuffer,
  width: ImageWidth,
): Promise<Resized | null> {
  if (!IMAGES) return null;
  try {
    const image = IMAGES.input(new Blob([bytes]).stream()).transform({ width, fit: "scale-down" });
    const output = await image.output({ format: "image/webp", quality: 82 });
    return { body: output.image(), type: output.contentType() };
  } catch (error) {
    logFault("an image could not be resized", error, { width });
    return null;
  }
}
