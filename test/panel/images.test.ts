import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, it } from "vitest";
import { images, products } from "../../src/platform/db/schema.ts";
import { call, ORIGIN } from "../support/call.ts";
import { aPng } from "../support/image-bytes.ts";
import { anImage, imageForm } from "../support/images.ts";
import { anAdministrator } from "../support/panel.ts";
import { aProduct, aUser, db, orderOf } from "../support/shop.ts";

let admin: Awaited<ReturnType<typeof anAdministrator>>;

beforeAll(async () => {
  admin = await anAdministrator();
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
