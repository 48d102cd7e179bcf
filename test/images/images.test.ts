import { env } from "cloudflare:test";
import { eq, sql } from "drizzle-orm";
import { afterEach, describe, expect, it, vi } from "vitest";
import { auditLog, images, orphanedObjects, products } from "../../src/platform/db/schema.ts";
import { everyMinute } from "../../src/scheduled.ts";
import { call, ORIGIN } from "../support/call.ts";
import { aPng, ascii, bytes, pngChunk } from "../support/image-bytes.ts";
import { anImage, getImage, imageForm } from "../support/images.ts";
import { storedKeys, strayObjects } from "../support/objects.ts";
import { aProduct, aUser, db } from "../support/shop.ts";
import { aForm } from "../support/uploads.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const FOR_EVER = "public, max-age=31536000, immutable";

const upload = async (content?: Uint8Array<ArrayBuffer>, fields = {}) =>
  call("POST /admin/images", { as: (await aUser({ role: "admin" })).token, body: imageForm(content, fields) });

const sha256Of = (path: string) => path.slice("/images/".length, -".png".length);

afterEach(() => vi.restoreAllMocks());

describe("an image", () => {
  it("is stored under its hash, and served publicly for a year", async () => {
    const content = aPng({ width: 8, height: 6 });
    const { status, headers, body } = await upload(content);
    const { url, created_at, ...facts } = body.data;
    expect([status, body.message, facts]).toEqual([
      201,
      "Image stored",
      { mime_type: "image/png", width: 8, height: 6, size_bytes: content.length },
    ]);
    expect(url).toMatch(/^https:\/\/shop\.test\/images\/[0-9a-f]{64}\.png$/);
    expect(headers.get("Location")).toBe(new URL(url).pathname);

    const served = await getImage(url);
    expect(served.status).toBe(200);
    expect(Object.fromEntries(served.headers)).toMatchObject({
      "access-control-allow-origin": "*",
      "cache-control": FOR_EVER,
      "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
      "content-type": "image/png",
      "cross-origin-resource-policy": "cross-origin",
      etag: `"${sha256Of(new URL(url).pathname)}"`,
      "x-content-type-options": "nosniff",
    });
    expect(served.headers.has("vary")).toBe(false);
    expect(served.content).toEqual(content);
  });

  it("is served from the cache even if its object is gone, and not again to a client that has it", async () => {
    const { url, path } = await anImage();
    const etag = `"${sha256Of(path)}"`;
    await getImage(url);
    await env.FILES.delete(`images/${sha256Of(path)}`);
    const cached = await getImage(url);
    expect([cached.status, cached.headers.get("ETag"), cached.headers.get("Cache-Control")]).toEqual([
      200,
      etag,
      FOR_EVER,
    ]);
    const known = await getImage(url, { "If-None-Match": `"another", ${etag}` });
    expect([known.status, known.content.length, known.headers.get("ETag")]).toEqual([304, 0, etag]);
    expect((await getImage(url, { "If-None-Match": '"another"' })).status).toBe(200);
    const head = await call(`HEAD ${url}`);
    expect([head.status, head.body, head.headers.get("Content-Type")]).toEqual([200, "", "image/png"]);
  });

  it("is one image however often it is uploaded, also at the same instant", async () => {
    const content = aPng();
    const answers = await Promise.all([upload(content), upload(content), upload(content)]);
    const again = await upload(bytes(content, ascii("behind its end")));
    const [url] = new Set([...answers, again].map(({ body }) => body.data.url));
    expect([...answers, again].map(({ status, body }) => [status, body.data.url])).toEqual(Array(4).fill([201, url]));
    const rows = await db
      .select()
      .from(images)
      .where(eq(images.sha256, sha256Of(new URL(url).pathname)));
    expect(rows).toHaveLength(1);
    expect((await storedKeys(env.FILES)).filter((key) => url.includes(key.split("/")[1] ?? ""))).toHaveLength(1);
    const [image] = rows;
    const logged = await db.select().from(auditLog).where(sql`subject = 'image' AND subject_id = ${image?.id}`);
    expect(logged.length).toBeLessThanOrEqual(3);
    expect(logged[0]).toMatchObject({ action: "image.create", before: null });
  });

  it("loses its location metadata", async () => {
    const { path } = await anImage(aPng({ chunks: [pngChunk("eXIf", ascii("51.5N 0.1W"))] }));
    const object = await env.FILES.get(`images/${sha256Of(path)}`);
    expect(await object?.text()).not.toContain("51.5N");
  });

  const header = (width: number, height: number) =>
    bytes(ascii("GIF89a"), ...[width, height].flatMap((side) => [side & 255, side >> 8]), ...[0, 0, 0, 0x3b]);
  it.each([
    ["an SVG", ascii("<svg xmlns='http://www.w3.org/2000/svg'/>"), "content_mismatch"],
    ["a text", ascii("hello"), "content_mismatch"],
    ["nothing", bytes(), "content_mismatch"],
    ["half a PNG", aPng().slice(0, 40), "content_mismatch"],
    ["a GIF without height", header(10, 0), "content_mismatch"],
    ["an HEIC", bytes(0, 0, 0, 24, ascii("ftypheic"), 0, 0, 0, 0, ascii("mif1heic")), "content_mismatch"],
    ["50 million pixels and more", header(10_001, 5_000), "too_big"],
    ["a side of more than 12,000 pixels", header(12_001, 1), "too_big"],
  ])("is refused if it is %s", async (_, content, code) => {
    const { status, body } = await upload(content);
    expect([status, body.details.map(({ field, code }: { field: string; code: string }) => [field, code])]).toEqual([
      400,
      [["file", code]],
    ]);
  });

  it.each([
    ["50 million pixels", header(10_000, 5_000), "gif", 10_000],
    ["a side of 12,000", header(1, 12_000), "gif", 1],
  ])("may have %s", async (_, content, extension, width) => {
    const { status, body } = await upload(content);
    expect([status, body.data.width, body.data.url.endsWith(extension)]).toEqual([201, width, true]);
  });

  it("has at most 10 MB", async () => {
    const tooLong = bytes(header(1, 1), new Uint8Array(10_000_001 - 14));
    expect((await upload(tooLong)).status).toBe(413);
    expect((await upload(tooLong.slice(0, -1))).status).toBe(201);
  });

  it("is uploaded in a form with one file and nothing else", async () => {
    const as = (await aUser({ role: "admin" })).token;
    const send = async (body: unknown) => (await call("POST /admin/images", { as, body })).status;
    expect(await send(aForm({ alt: "A satchel" }, { content: aPng() }))).toBe(400);
    expect(await send(new FormData())).toBe(400);
    expect(await send({ url: "https://shop.test/a.png" })).toBe(415);
  });

  it("is not found if it never existed, by another extension or by another name", async () => {
    const { url } = await anImage();
    for (const other of [
      url.replace(".png", ".jpg"),
      url.replace(/\w{8}\.png/, "00000000.png"),
      `${url}x`,
      `${ORIGIN}/images/x`,
    ]) {
      const { status, body } = await call(`GET ${other}`);
      expect([status, body.code]).toEqual([404, "not_found"]);
    }
    expect((await call(`POST ${url}`, { body: {} })).status).toBe(405);
  });
});

describe("an image that no product uses", () => {
  const isThere = async (path: string) => (await env.FILES.head(`images/${sha256Of(path)}`)) !== null;
  const inADay = (ms = 0) => everyMinute(env, Date.now() + DAY_MS + ms);
  const showing = (...urls: string[]) => urls.map((url) => ({ url, alt: "" }));

  async function setImages(id: number, list: { url: string; alt: string }[]) {
    const { token } = await aUser({ role: "admin" });
    return call(`PUT /admin/products/${id}`, { as: token, body: { images: list } });
  }

  it("is deleted after a day, with its row", async () => {
    const { path } = await anImage();
    await inADay(-10_000);
    expect(await isThere(path)).toBe(true);
    await inADay(10_000);
    expect(await isThere(path)).toBe(false);
    expect(
      await db
        .select()
        .from(images)
        .where(eq(images.sha256, sha256Of(path))),
    ).toEqual([]);
    expect(await strayObjects(env)).toEqual({ lost: [], missing: [] });
  });

  it("is kept while it is the shop's logo", async () => {
    const { token } = await aUser({ role: "admin" });
    const setLogo = (logo: object | null) => call("PUT /admin/shop", { as: token, body: { logo } });
    const { path } = await anImage();
    expect((await setLogo({ url: path })).status).toBe(200);
    await inADay(10_000);
    expect(await isThere(path)).toBe(true);
    await setLogo(null);
    await inADay(10_000);
    expect(await isThere(path)).toBe(false);
  });

  it("is kept another day when it is uploaded again", async () => {
    const content = aPng();
    const { path } = await anImage(content);
    await db
      .update(orphanedObjects)
      .set({ deleteAt: Date.now() + 1000 })
      .where(eq(orphanedObjects.r2Key, `images/${sha256Of(path)}`));
    await anImage(content);
    await inADay(-10_000);
    expect(await isThere(path)).toBe(true);
  });

  it("is kept while a product uses it by any address, and a day longer", async () => {
    for (const named of ["path", "url"] as const) {
      const image = await anImage();
      const { id } = await aProduct();
      expect((await setImages(id, showing(image[named], image[named]))).status).toBe(200);
      await inADay(10_000);
      await setImages(id, showing("https://elsewhere.test/a.png", image[named]));
      await inADay(10_000);
      expect(await isThere(image.path)).toBe(true);
      await setImages(id, []);
      await inADay(-10_000);
      expect(await isThere(image.path)).toBe(true);
      await inADay(10_000);
      expect(await isThere(image.path)).toBe(false);
    }
  });

  it("is kept while another product uses it, until that is deleted", async () => {
    const { path } = await anImage();
    const [one, other] = [await aProduct(), await aProduct({ images: showing(path) })];
    await setImages(one.id, showing(path));
    await setImages(one.id, []);
    await inADay(10_000);
    expect(await isThere(path)).toBe(true);
    await db.delete(products).where(eq(products.id, other.id));
    await inADay(10_000);
    expect(await isThere(path)).toBe(false);
  });

  it("is kept while carts show it for a withdrawn product", async () => {
    const { path } = await anImage();
    const { token } = await aUser({ role: "admin" });
    const { id } = await aProduct({ images: showing(path) });
    const change = (body: object) => call(`PUT /admin/products/${id}`, { as: token, body });
    await change({ status: "draft", images: [] });
    await inADay(10_000);
    expect(await isThere(path)).toBe(true);
    await change({ status: "active" });
    await inADay(10_000);
    expect(await isThere(path)).toBe(false);
  });

  it("cannot be used once it is deleted", async () => {
    const { path } = await anImage();
    const { id } = await aProduct();
    await inADay(10_000);
    const { status, body } = await setImages(id, showing("https://elsewhere.test/a.png", path));
    expect([status, body.details]).toEqual([400, [{ field: "images.1.url", code: "unknown_reference" }]]);
  });

  it("is neither used nor stored while it is being deleted", async () => {
    const content = aPng();
    const { path } = await anImage(content);
    const key = `images/${sha256Of(path)}`;
    await db.update(orphanedObjects).set({ deleteAt: 0 }).where(eq(orphanedObjects.r2Key, key));
    const { id } = await aProduct();
    const shown = await setImages(id, showing(path));
    expect([shown.status, shown.body.details]).toEqual([400, [{ field: "images", code: "unknown_reference" }]]);
    const stored = await upload(content);
    expect([stored.status, stored.body.code]).toEqual([409, "changed_meanwhile"]);
    await inADay();
    expect((await upload(content)).status).toBe(201);
  });
});

describe("the images of a product", () => {
  it("name an uploaded one by its path, and are returned with its URL", async () => {
    const { url, path } = await anImage();
    const { token } = await aUser({ role: "admin" });
    const list = [url, path, "https://elsewhere.test/b.png", `${ORIGIN}/images/x.svg`].map((url) => ({
      url,
      alt: "Seen",
    }));
    const made = { name: "Shown", sku: crypto.randomUUID(), type: "physical", price: 3, images: list };
    const { status, body } = await call("POST /admin/products", { as: token, body: made });
    expect(status).toBe(201);
    expect(body.data.images.map(({ url }: { url: string }) => url)).toEqual([url, url, list[2]?.url, list[3]?.url]);
    const row = await db.select().from(products).where(eq(products.id, body.data.id)).get();
    expect(row?.images.map(({ url }) => url)).toEqual([path, path, list[2]?.url, "/images/x.svg"]);
  });
});
