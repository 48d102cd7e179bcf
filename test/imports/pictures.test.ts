import { env, exports } from "cloudflare:workers";
import { expect, it } from "vitest";
import { runners } from "../../src/apps/job-steps.ts";
import { hashInPath } from "../../src/catalogue/images/address.ts";
import { findJob } from "../../src/platform/jobs/jobs.ts";
import { runSlice } from "../../src/platform/jobs/run-slice.ts";
import { everyMinute } from "../../src/scheduled.ts";
import { sent } from "../payments/support/stand-in.ts";
import { administration } from "../support/administration.ts";
import { aCheckedImport, anImport, failuresOf, jobOf, productBySku, runJob } from "../support/jobs.ts";
import { aProduct, db } from "../support/shop.ts";
import { aForm } from "../support/uploads.ts";

const { ask } = administration();

/** A server of pictures that tells the test's own requests apart. */
function aServer() {
  const name = crypto.randomUUID();
  const urlOf = (picture: string) => `${env.STRIPE_API_URL}/pictures/${name}/${picture}`;
  const asked = async () => (await sent(name, "GET /pictures/")).map(({ line }) => line.split("/").at(-1));
  return { urlOf, asked };
}

type Row = { sku: string; name?: string; images: string[]; price?: string };
const csvOf = (rows: Row[]) =>
  ["Type,SKU,Name,Regular price,Images"]
    .concat(
      rows.map(({ sku, name = sku, images, price = "5" }) => `simple,${sku},${name},${price},"${images.join(", ")}"`),
    )
    .join("\n");

it("fetches each picture once, stores it, and does not fetch it again in the next import", async () => {
  const { urlOf, asked } = aServer();
  const file = csvOf([
    { sku: "PIC-1", images: [urlOf("101.png"), urlOf("moved-102.png")] },
    { sku: "PIC-2", images: [urlOf("101.png")] },
    { sku: "PIC-3", images: [] },
  ]);
  const checked = await aCheckedImport(file);
  expect(checked).toMatchObject({ to_create: 3, failed: 0 });
  expect(await asked()).toEqual([]);
  await anImport(file);
  expect((await asked()).sort()).toEqual(["101.png", "102.png", "moved-102.png"]);
  const { images } = await productBySku("PIC-1");
  expect(images).toEqual([
    { url: expect.stringMatching(/^https?:\/\/[^/]+\/images\/[0-9a-f]{64}\.png$/), alt: "" },
    { url: expect.stringMatching(/\/images\/[0-9a-f]{64}\.png$/), alt: "" },
  ]);
  expect(images[0].url).not.toBe(images[1].url);
  expect((await productBySku("PIC-2")).images).toEqual([images[0]]);
  expect((await productBySku("PIC-3")).images).toEqual([]);
  const shown = await exports.default.fetch(images[0].url);
  expect([shown.status, shown.headers.get("Content-Type")]).toEqual([200, "image/png"]);

  expect(await anImport(file)).toMatchObject({ to_update: 0, unchanged: 3 });
  expect(await asked()).toHaveLength(3);
});

it("imports products without pictures that cannot be fetched, and gives the reason for each", async () => {
  const { urlOf } = aServer();
  const internal = "https://a.to-192-168-0-1.example/1.png";
  const file = csvOf([
    { sku: "BAD-1", images: [urlOf("201.png"), urlOf("gone.png")] },
    { sku: "BAD-2", images: [urlOf("text.png")] },
    { sku: "BAD-3", images: [urlOf("large.png")] },
    { sku: "BAD-4", images: ["hoodie.jpg"] },
    { sku: "BAD-5", images: ["https://169.254.169.254/latest/meta-data", internal] },
    { sku: "BAD-6", images: [urlOf("inward.png")] },
    { sku: "BAD-7", images: [urlOf("round.png")] },
    { sku: "BAD-8", images: ["http://nowhere.example/1.png"] },
    { sku: "BAD-9", images: [urlOf("gone.png")], price: "much" },
  ]);
  const checked = await aCheckedImport(file);
  expect(await failuresOf(checked.check_job_id)).toMatchObject([
    { line: 5, field: "Images", code: "not_fetched", message: expect.stringMatching(/^hoodie.jpg must be a URL/) },
    { line: 6, message: expect.stringContaining("must not be a private or reserved address") },
    { line: 10, field: "Regular price", is_warning: false },
  ]);
  const done = await anImport(file);
  expect(await jobOf(done.job_id)).toMatchObject({ state: "completed", done: 8, failed: 1, warnings: 8 });
  const failures = await failuresOf(done.job_id);
  expect(
    failures.map(({ line, message }: { line: number; message: string }) => [line, message.replace(/^\S+ /, "")]),
  ).toEqual([
    [2, "answered 404"],
    [3, "must be a PNG, JPEG, WebP, AVIF or GIF image"],
    [4, "must be at most 10 MB"],
    [5, "must be a URL such as https://example.com/path"],
    [6, "must not be a private or reserved address"],
    [6, "must not lead to a private or reserved address"],
    [7, "must not lead to a private or reserved address"],
    [8, "redirects too often"],
    [9, "has a name that could not be resolved"],
    [10, "be a number"],
  ]);
  expect((await productBySku("BAD-1")).images).toHaveLength(1);
  expect((await productBySku("BAD-2")).images).toEqual([]);
});

it("keeps a product's images if not all of its new pictures can be fetched", async () => {
  const { urlOf } = aServer();
  const images = [{ url: "https://cdn.example/own.png", alt: "Own" }];
  await aProduct({ sku: "OWN-1", name: "OWN-1", price: 500, images });
  await anImport(csvOf([{ sku: "OWN-1", images: [urlOf("301.png"), urlOf("gone.png")], price: "6" }]));
  expect(await productBySku("OWN-1")).toMatchObject({ price: 6, images });
  await anImport(csvOf([{ sku: "OWN-1", images: [urlOf("301.png")], price: "6" }]));
  expect(await productBySku("OWN-1")).toMatchObject({ images: [{ url: expect.stringContaining("/images/") }] });
});

/** Aborts a slice before its result is written, as if the machine had stopped. */
async function readWithoutWriting(jobId: number) {
  const job = await findJob(db, jobId);
  if (!job) throw new Error("There is no such job");
  const author = { actor: job.createdBy, address: null, requestId: job.requestId, now: Date.now() };
  const { slice } = await runners.import_products();
  await slice({ env, db, job, author, limit: 100 });
}

it("puts few pictures into a slice, because they take long, and fetches none twice after a crash", async () => {
  const { urlOf, asked } = aServer();
  const rows = Array.from({ length: 20 }, (_, at) => ({
    sku: `FEW-${at}`,
    images: [urlOf(`${500 + at}.png`), urlOf(`${600 + at}.png`), urlOf("499.png")],
  }));
  const { id } = await aCheckedImport(csvOf(rows));
  const { body } = await ask(`POST /admin/imports/products/${id}/start`, {});
  const jobId: number = body.data.job_id;
  await readWithoutWriting(jobId);
  expect(await asked()).toHaveLength(15);
  expect(await runSlice(env, runners, jobId)).toBe(16);
  expect(await jobOf(jobId)).toMatchObject({ state: "running", done: 7 });
  expect(await asked()).toHaveLength(15);
  await runJob(jobId);
  expect(await jobOf(jobId)).toMatchObject({ state: "completed", done: 20, warnings: 0 });
  expect(await asked()).toHaveLength(41);
});

it("fetches pictures of many products in small slices, and an undo restores previous pictures", async () => {
  const { urlOf, asked } = aServer();
  const rows = Array.from({ length: 20 }, (_, at) => ({
    sku: `MANY-${at}`,
    images: [urlOf(`${1000 + 2 * at}.png`), urlOf(`${1001 + 2 * at}.png`)],
  }));
  const images = [{ url: "https://cdn.example/own.png", alt: "" }];
  await aProduct({ sku: "MANY-19", images });
  const done = await anImport(csvOf(rows));
  expect(await asked()).toHaveLength(40);
  expect((await productBySku("MANY-19")).images).toHaveLength(2);
  const { body } = await ask(`POST /admin/jobs/${done.job_id}/undo`, {});
  await runJob(body.data.id);
  expect(await productBySku("MANY-19")).toMatchObject({ images });
  expect(await productBySku("MANY-0")).toBeUndefined();
});

it("restores uploaded images to a product, however late the import is undone", async () => {
  const { urlOf } = aServer();
  await anImport(csvOf([{ sku: "LATE-1", images: [urlOf("701.png")] }]));
  const [image] = (await productBySku("LATE-1")).images;
  const done = await anImport(csvOf([{ sku: "LATE-1", images: [urlOf("702.png")] }]));
  const again = new Uint8Array(await (await exports.default.fetch(image.url)).arrayBuffer());
  expect((await ask("POST /admin/images", aForm({}, { content: again }))).status).toBe(201);
  await everyMinute(env, Date.now() + 30 * 24 * 60 * 60_000 - 10 * 60_000);
  const { body } = await ask(`POST /admin/jobs/${done.job_id}/undo`, {});
  await runJob(body.data.id);
  expect((await productBySku("LATE-1")).images).toEqual([image]);
  expect((await exports.default.fetch(image.url)).status).toBe(200);
  expect(await env.FILES.head(`images/${hashInPath(new URL(image.url).pathname)}`)).not.toBeNull();
});
