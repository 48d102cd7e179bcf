import type { Context } from "hono";
import { notFound } from "../../domain/errors.ts";
import { deleteWithDerived, derivedKey, orUnavailable } from "../../downloads/files/public.ts";
import { inBackground } from "../../platform/http/background.ts";
import { logFault } from "../../platform/http/log.ts";
import { setSecurityHeaders } from "../../platform/http/security-headers.ts";
import { isNotModified } from "../../platform/http/version.ts";
import { hashInPath, type ImageWidth, imageName, objectKey } from "./address.ts";

/** The content of an image URL never changes. */
const FOR_EVER = "public, max-age=31536000, immutable";

/** An image that could not be resized is sent in its original size, and resizing is tried again after a day. */
const FOR_A_DAY = "public, max-age=86400";

type ImageRequest = Pick<Context, "executionCtx"> & { env: Env; req: { url: string; raw: Request } };

/**
 * Responds with an image, or a resized version of it, from the data centre's cache if possible. A resized image is stored, because
 * each use of the Images binding is billed and the platform keeps no result:
 * https://developers.cloudflare.com/images/optimization/transformations/bindings/
 */
export async function serveImage(c: ImageRequest, name: string, width: ImageWidth | undefined): Promise<Response> {
  const sha256 = hashInPath(`/images/${name}`);
  if (!sha256) throw notFound("This image");
  const key = `${new URL(c.req.url).origin}/images/${name}${width === undefined ? "" : `?width=${width}`}`;
  const cached = await findCached(key);
  if (cached) return orNotModified(c.req.raw, cached);
  const image =
    width === undefined ? await readOriginal(c.env, sha256, name) : await readResized(c, { sha256, name, width });
  inBackground(c, "cache an image", caches.default.put(key, image.clone()));
  return orNotModified(c.req.raw, image);
}

async function findCached(key: string): Promise<Response | undefined> {
  try {
    const cached = await caches.default.match(key);
    // Copies the response to make its headers mutable.
    return cached && new Response(cached.body, cached);
  } catch (error) {
    logFault("image cache unavailable", error);
    return undefined;
  }
}

/** Reads an image, whose name must have the extension of its type. */
async function findImage({ FILES }: Env, sha256: string, name: string): Promise<StoredObject> {
  const object = await orUnavailable(FILES.get(objectKey(sha256)));
  const type = object?.httpMetadata?.contentType;
  if (!object || !type || imageName(sha256, type) !== name) throw notFound("This image");
  return { object, type };
}

type StoredObject = { object: R2ObjectBody; type: string };

async function readOriginal(env: Env, sha256: string, name: string): Promise<Response> {
  const { object, type } = await findImage(env, sha256, name);
  return answer(object.body, type, `"${sha256}"`, FOR_EVER);
}

type AskedWidth = { sha256: string; name: string; width: ImageWidth };

async function readResized(c: ImageRequest, { sha256, name, width }: AskedWidth): Promise<Response> {
  const etag = `"${sha256}-${width}"`;
  const key = derivedKey(objectKey(sha256), width);
  const stored = await orUnavailable(c.env.FILES.get(key));
  const { name: storedName } = stored?.customMetadata ?? {};
  if (stored && storedName === name) return answer(stored.body, RESIZED_TYPE, etag, FOR_EVER);
  const { object, type } = await findImage(c.env, sha256, name);
  const bytes = await object.arrayBuffer();
  const smaller = await resized(c.env, bytes, width);
  if (!smaller) return answer(bytes, type, `"${sha256}"`, FOR_A_DAY);
  inBackground(c, "store a resized image", storeResized(c.env, key, { sha256, name, bytes: smaller }));
  return answer(smaller, RESIZED_TYPE, etag, FOR_EVER);
}

/** Stores a resized image, unless its image was deleted meanwhile. */
async function storeResized(
  env: Env,
  key: string,
  { sha256, name, bytes }: { sha256: string; name: string; bytes: ArrayBuffer },
): Promise<void> {
  await env.FILES.put(key, bytes, { httpMetadata: { contentType: RESIZED_TYPE }, customMetadata: { name } });
  if ((await env.FILES.head(objectKey(sha256))) === null) await deleteWithDerived({ env }, objectKey(sha256));
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

const RESIZED_TYPE = "image/webp";

/**
 * Scales an image down to a width, as WebP, without metadata and correctly rotated. Returns null if the deployment has no
 * Images binding or resizing fails, as it does for AVIF or beyond the quota.
 */
async function resized(
  { IMAGES }: Partial<Pick<Env, "IMAGES">>,
  bytes: ArrayBuffer,
  width: ImageWidth,
): Promise<ArrayBuffer | null> {
  if (!IMAGES) return null;
  try {
    const image = IMAGES.input(new Blob([bytes]).stream()).transform({ width, fit: "scale-down" });
    const output = await image.output({ format: RESIZED_TYPE, quality: 82 });
    return await new Response(output.image()).arrayBuffer();
  } catch (error) {
    logFault("image not resized", error, { width });
    return null;
  }
}
