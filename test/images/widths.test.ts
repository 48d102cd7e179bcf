import { env } from "cloudflare:test";
import { afterEach, describe, expect, it, vi } from "vitest";
import { everyMinute } from "../../src/scheduled.ts";
import { aPng } from "../support/image-bytes.ts";
import { anImage, getImage } from "../support/images.ts";
import { storedKeys } from "../support/objects.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const FOR_EVER = "public, max-age=31536000, immutable";

const sha256Of = (path: string) => path.slice("/images/".length, -".png".length);

afterEach(() => vi.restoreAllMocks());

describe("a width of an image", () => {
  const wide = async () => (await anImage(aPng({ width: 400, height: 200 }))).url;

  async function sizeOf(url: string) {
    const { content } = await getImage(url);
    const info = await env.IMAGES.info(new Blob([content]).stream());
    return "width" in info ? [info.width, info.height] : [];
  }

  it("is served as WebP, and never wider than the image", async () => {
    const url = await wide();
    const { status, headers } = await getImage(`${url}?width=160`);
    expect([status, headers.get("Content-Type"), headers.get("Cache-Control")]).toEqual([200, "image/webp", FOR_EVER]);
    expect(headers.get("ETag")).toMatch(/-160"$/);
    expect(await sizeOf(`${url}?width=160`)).toEqual([160, 80]);
    expect(await sizeOf(`${url}?width=320`)).toEqual([320, 160]);
    expect(await sizeOf(`${url}?width=640`)).toEqual([400, 200]);
    expect(await sizeOf(url)).toEqual([400, 200]);
  });

  /** An Images binding that counts the transformations for which it is billed. */
  function counting(during: () => Promise<unknown> = async () => undefined) {
    const input = vi.fn((bytes: ReadableStream<Uint8Array>) => {
      const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
      void during().then(() => bytes.pipeTo(writable));
      return env.IMAGES.input(readable);
    });
    return { input, bindings: { IMAGES: { ...env.IMAGES, input } } };
  }

  it("is computed once, and read from the bucket if the cache lost it", async () => {
    const url = `${await wide()}?width=160`;
    const { input, bindings } = counting();
    const first = await getImage(url, {}, bindings);
    expect(await caches.default.delete(url)).toBe(true);
    const second = await getImage(url, {}, bindings);
    expect(input).toHaveBeenCalledTimes(1);
    expect(second.content).toEqual(first.content);
    expect(Object.fromEntries(second.headers)).toEqual({
      ...Object.fromEntries(first.headers),
      "x-request-id": expect.any(String),
    });
    expect((await getImage(url.replace(".png", ".jpg"), {}, bindings)).status).toBe(404);
  });

  it("is deleted with its image", async () => {
    const { url, path } = await anImage(aPng({ width: 400, height: 200 }));
    await getImage(`${url}?width=160`);
    await getImage(`${url}?width=320`);
    const keysOf = async () => (await storedKeys(env.FILES)).filter((key) => key.includes(sha256Of(path)));
    expect(await keysOf()).toHaveLength(3);
    await everyMinute(env, Date.now() + DAY_MS + 10_000);
    expect(await keysOf()).toEqual([]);
  });

  it("is not stored if the image is deleted while it is computed", async () => {
    const { url, path } = await anImage(aPng({ width: 400, height: 200 }));
    const key = `images/${sha256Of(path)}`;
    const { bindings } = counting(() => env.FILES.delete(key));
    expect((await getImage(`${url}?width=160`, {}, bindings)).status).toBe(200);
    expect((await storedKeys(env.FILES)).filter((stored) => stored.includes(key))).toEqual([]);
  });

  it("is one of a few, so that nobody can make the Worker compute any number of them", async () => {
    const url = await wide();
    for (const query of ["width=161", "width=0", "width=", "width=160&width=320", "height=160", "width=160&x=1"]) {
      expect((await getImage(`${url}?${query}`)).status).toBe(400);
    }
  });

  const failing: ImagesBinding = {
    ...env.IMAGES,
    input: () => {
      throw new Error("IMAGES_TRANSFORM_ERROR 9422: the quota is used up");
    },
  };
  it.each([
    ["has no Images binding", JSON.parse("null")],
    ["has one that fails", failing],
  ])("is the image itself, for a day, if the deployment %s", async (_, IMAGES: ImagesBinding) => {
    vi.spyOn(console, "error").mockReturnValue();
    const url = await wide();
    const { status, headers } = await getImage(`${url}?width=160`, {}, { IMAGES });
    expect([status, headers.get("Content-Type"), headers.get("Cache-Control"), headers.get("ETag")]).toEqual([
      200,
      "image/png",
      "public, max-age=86400",
      `"${sha256Of(new URL(url).pathname)}"`,
    ]);
    expect(await sizeOf(`${url}?width=160`)).toEqual([400, 200]);
  });
});
