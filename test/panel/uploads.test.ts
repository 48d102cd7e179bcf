import { env } from "cloudflare:workers";
import { createHash } from "node:crypto";
import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, it } from "vitest";
import { files, images, packages, products } from "../../src/platform/db/schema.ts";
import { call, ORIGIN } from "../support/call.ts";
import { aPng } from "../support/image-bytes.ts";
import { anImage, imageForm } from "../support/images.ts";
import { storedKeys } from "../support/objects.ts";
import { anAdministrator, aVisitor, fieldsOf } from "../support/panel.ts";
import { aProduct, aUser, db, orderOf } from "../support/shop.ts";

type Administrator = Awaited<ReturnType<typeof anAdministrator>>;

const CONTENT = "a small text";
const SHA256 = createHash("sha256").update(CONTENT).digest("hex");
const OWN = { Origin: ORIGIN, "Sec-Fetch-Site": "same-origin" };
const ASKS_FOR_JSON = { Accept: "application/json" };

let admin: Administrator;

beforeAll(async () => {
  admin = await anAdministrator();
});

const aFile = (fields: Record<string, string> = {}) => ({
  file_name: "notes.txt",
  size_bytes: String(CONTENT.length),
  mime_type: "text/plain",
  head: btoa(CONTENT),
  access: "package",
  name: "Notes",
  ...fields,
});

async function begun(fields: Record<string, string> = {}, path = "/admin/files/uploads"): Promise<number> {
  const { status, html } = await admin.post(path, aFile(fields));
  expect(status).toBe(201);
  return JSON.parse(html).id;
}

function send(method: string, path: string, body: string, headers: Record<string, string> = OWN, as = admin.headers()) {
  const all = { ...as, ...ASKS_FOR_JSON, ...headers };
  return admin.send(new Request(`${ORIGIN}${path}`, { method, headers: all, body }));
}

const putPart = (id: number, headers: Record<string, string> = OWN, as = admin.headers()) =>
  send("PUT", `/admin/uploads/${id}/parts/1`, CONTENT, { "Content-Type": "application/octet-stream", ...headers }, as);

const complete = (id: number, sha256 = SHA256, headers: Record<string, string> = {}) =>
  send("POST", `/admin/uploads/${id}/complete`, JSON.stringify({ sha256 }), {
    "Content-Type": "application/json",
    ...OWN,
    ...headers,
  });

async function uploaded(fields: Record<string, string> = {}): Promise<number> {
  const id = await begun(fields);
  await putPart(id);
  return JSON.parse((await complete(id)).html).id;
}

describe("a multipart upload", () => {
  it("becomes a file with the typed values, and then a new version of it", async () => {
    const id = await uploaded({ name: "In parts", description: "Typed" });
    const { html } = await admin.get(`/admin/files/${id}`);
    for (const words of ["In parts was uploaded.", "In parts", "Typed", SHA256]) expect(html).toContain(words);
    const version = await begun({}, `/admin/files/${id}/uploads`);
    expect((await admin.get(`/admin/files/${id}`)).html).toContain(`/admin/uploads/${version}`);
    await putPart(version);
    expect((await complete(version)).status).toBe(201);
    expect((await admin.get(`/admin/files/${id}`)).html).toContain("In parts is now version 2.");
  });

  it.each([
    ["too large", { size_bytes: "5000000001" }, "must be a whole number from 1 to"],
    ["a path", { file_name: "../x.txt" }, "must be a name without a path"],
    ["of another kind", { file_name: "notes.pdf" }, "is named .pdf, but its content is of the type text"],
  ])("of a file that is %s is refused before it is sent, with the typed values kept", async (_, wrong, words) => {
    const { status, html } = await admin.post("/admin/files/uploads", aFile({ name: "Kept", ...wrong }));
    expect(status).toBe(400);
    expect(html).toContain(words);
    expect(html).toContain('value="Kept"');
    expect(html).toContain('action="/admin/files"');
  });

  it("of a version is refused if somebody else changed the file, both at the start and at the end", async () => {
    const id = await uploaded();
    const path = `/admin/files/${id}`;
    const { if_match = [] } = fieldsOf(await admin.get(path), `${path}/versions`);
    const seen = if_match.join();
    const upload = await begun({ if_match: seen }, `${path}/uploads`);
    await putPart(upload);
    await db
      .update(files)
      .set({ updatedAt: Date.now() + 1 })
      .where(eq(files.id, id));

    const again = await admin.post(`${path}/uploads`, aFile({ if_match: seen }));
    expect([again.status, again.html.includes("Overwrite with my changes")]).toEqual([412, true]);
    expect((await complete(upload, SHA256, { "If-Match": seen })).status).toBe(412);

    const now = / name="if_match" value="([^"]+)"/.exec((await admin.get(`/admin/uploads/${upload}`)).html)?.[1] ?? "";
    const decided = await complete(upload, SHA256, { "If-Match": now.replaceAll("&quot;", '"') });
    expect([decided.status, JSON.parse(decided.html).version]).toEqual([201, 2]);
  });

  it("that arrived altered is refused, and leaves nothing", async () => {
    const before = await storedKeys(env.FILES);
    const id = await begun();
    await putPart(id);
    const { status, html } = await complete(id, "0".repeat(64));
    expect([status, JSON.parse(html).code]).toEqual([400, "checksum_mismatch"]);
    expect(await storedKeys(env.FILES)).toEqual(before);
  });

  it("that is cancelled leaves nothing", async () => {
    const before = await storedKeys(env.FILES);
    const id = await begun();
    await putPart(id);
    expect((await admin.post(`/admin/uploads/${id}/cancel`)).status).toBe(303);
    expect(await storedKeys(env.FILES)).toEqual(before);
    expect((await admin.get(`/admin/uploads/${id}`)).status).toBe(404);
  });

  it.each([
    ["another site", { Origin: "https://evil.test", "Sec-Fetch-Site": "cross-site" }],
    ["another host of the same site", { Origin: "https://api.shop.test", "Sec-Fetch-Site": "same-site" }],
    ["nowhere", { Origin: "", "Sec-Fetch-Site": "" }],
  ])("accepts no part from a page of %s", async (_, headers) => {
    const id = await begun();
    expect((await putPart(id, headers)).status).toBe(403);
  });

  it("tells the page, in JSON, that the session has ended", async () => {
    const id = await begun();
    const { status, html } = await putPart(id, OWN, aVisitor().headers());
    expect([status, JSON.parse(html).message]).toEqual([401, "You were signed out. Sign in in another window"]);
  });
});

describe("a file's content", () => {
  it("is an attachment that no browser runs here, and does not count as a customer's download", async () => {
    const id = await uploaded();
    const { status, headers, html } = await admin.get(`/admin/files/${id}/content`);
    expect([status, html]).toEqual([200, CONTENT]);
    expect(headers.get("Content-Disposition")).toMatch(/^attachment; filename="?notes\.txt/);
    expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
    expect(headers.get("Content-Security-Policy")).toContain("default-src 'none'");
    expect(headers.get("Cross-Origin-Resource-Policy")).toBe("same-origin");
    expect(await db.select().from(packages).all()).toEqual([]);
  });

  it("is available only to administrators", async () => {
    const id = await uploaded();
    expect((await aVisitor().get(`/admin/files/${id}/content`)).status).toBe(303);
    expect((await admin.get("/admin/files/999999/content")).status).toBe(404);
  });
});

const upload = (path: string, { as = admin, content = aPng(), headers = {} } = {}) =>
  as.send(
    new Request(`${ORIGIN}${path}`, {
      method: "POST",
      headers: { ...as.headers(), Origin: ORIGIN, "Sec-Fetch-Site": "same-origin", ...headers },
      body: imageForm(content),
    }),
  );

const byScript = { headers: { Accept: "application/json" } };
const noImage = { content: Uint8Array.from(Buffer.from("<svg/>")) };

const imagesOf = async (id: number) => (await db.select().from(products).where(eq(products.id, id)).get())?.images;

describe("an image that script uploads", () => {
  it("is stored, and answered with its path", async () => {
    const { status, html } = await upload("/admin/images", byScript);
    expect([status, JSON.parse(html)]).toEqual([201, { path: expect.stringMatching(/^\/images\/[0-9a-f]{64}\.png$/) }]);
  });

  it("is refused with a message for the page", async () => {
    const { status, html } = await upload("/admin/images", { ...byScript, ...noImage });
    expect([status, JSON.parse(html).errors]).toEqual([
      400,
      { file: ["must be a PNG, JPEG, WebP, AVIF or GIF image"] },
    ]);
  });

  it("is refused from staff who may not write products", async () => {
    const as = await anAdministrator({ role: "viewer" });
    expect((await upload("/admin/images", { ...byScript, as })).status).toBe(403);
    expect((await as.get(`/admin/products/${(await aProduct()).id}`)).html).not.toContain("data-images");
  });
});

describe("an image that is uploaded without script", () => {
  it("is added after its product's other images", async () => {
    const first = { url: "https://elsewhere.test/a.png", alt: "A" };
    const { id } = await aProduct({ images: [first] });
    expect((await upload(`/admin/products/${id}/images`)).location).toBe(`/admin/products/${id}`);
    await upload(`/admin/products/${id}/images`);
    const [kept, ...added] = (await imagesOf(id)) ?? [];
    expect(kept).toEqual(first);
    expect(added).toHaveLength(2);
    const { html } = await admin.get(`/admin/products/${id}`);
    expect(html).toContain("The image was uploaded.");
    for (const { url } of added) expect(html).toContain(`src="${url}?width=160"`);
    expect(html).toContain(`src="${first.url}"`);
  });

  it("is refused on its product's page if it is invalid or there are 20", async () => {
    const { id } = await aProduct({ images: Array(20).fill({ url: "/a.png", alt: "" }) });
    for (const [content, words] of [
      [noImage.content, "must be a PNG"],
      [aPng(), "Images"],
    ] as const) {
      const { status, html } = await upload(`/admin/products/${id}/images`, { content });
      expect([status, html.includes(words)]).toEqual([400, true]);
    }
    expect(await imagesOf(id)).toHaveLength(20);
    expect((await upload("/admin/products/999999/images")).status).toBe(404);
  });
});

it("shows the first image of each product in the list, and initials for products without one", async () => {
  const { path } = await anImage();
  await aProduct({
    name: "Pictured",
    images: [
      { url: path, alt: "" },
      { url: "/second.png", alt: "" },
    ],
  });
  await aProduct({ name: "Plain" });
  const { html } = await admin.get("/admin/products?search=pictured");
  expect(html).toContain(
    `<img class="thumbnail" src="${path}?width=160" alt="" width="40" height="40" loading="lazy"/>`,
  );
  expect(html).not.toContain("second.png");
  expect((await admin.get("/admin/products?search=plain")).html).toContain(
    '<span class="thumbnail" aria-hidden="true">P</span>',
  );
});

it("shows the first image of each item on the page of an order", async () => {
  const { path } = await anImage();
  const product = await aProduct({ images: [{ url: path, alt: "" }] });
  const { token } = await aUser({ wallet: 100_000 });
  const { body } = await call("POST /orders", { as: token, body: orderOf(product) });
  expect((await admin.get(`/admin/orders/${body.data.id}`)).html).toContain(`src="${path}?width=160"`);
});

it("links from the audit log to an image", async () => {
  const { path } = await anImage();
  const [image] = (await db.select().from(images)).slice(-1);
  expect((await admin.get(`/admin/images/${image?.id}`)).html).toContain(`src="${path}?width=640"`);
  expect((await admin.get("/admin/images/999999")).status).toBe(404);
  expect((await admin.get("/admin/audit-log?subject=image")).html).toContain(`href="/admin/images/${image?.id}"`);
});
