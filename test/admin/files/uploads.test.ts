import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { orphanedObjects, uploads } from "../../../src/platform/db/schema.ts";
import { administration, entriesOf } from "../../support/administration.ts";
import { callWith } from "../../support/call.ts";
import { brokenInvariants } from "../../support/invariants.ts";
import { bytesOf, follow, linkTo, sha256 } from "../../support/links.ts";
import { aRefusal, expectRefusal } from "../../support/refusal.ts";
import { aFile, aProduct, db } from "../../support/shop.ts";
import { watched } from "../../support/watched.ts";
import { later, RAW, stored } from "./support.ts";

const PART = 16 * 1024 * 1024;
const content = bytesOf(PART + 1000);
const parts = [content.slice(0, PART), content.slice(PART)];

const { admin, ask } = administration();

beforeEach(async () => {
  await db.delete(uploads);
});

const aNew = (fields: Record<string, unknown> = {}) => ({
  file_name: "large.bin",
  size_bytes: content.length,
  access: "public",
  published: true,
  ...fields,
});

async function begin(fields?: Record<string, unknown>): Promise<string> {
  const { status, body } = await ask("POST /admin/uploads", aNew(fields));
  if (status !== 201) throw new Error(JSON.stringify(body));
  return `/admin/uploads/${body.data.id}`;
}

const put = (upload: string, number: number, bytes: unknown, headers = RAW) =>
  ask(`PUT ${upload}/parts/${number}`, bytes, headers);

const complete = (upload: string) => ask(`POST ${upload}/complete`);

const small = (bytes: Uint8Array, fields: Record<string, unknown> = {}) =>
  begin({ size_bytes: bytes.length, ...fields });

describe("a multipart upload", () => {
  it("returns its part size, accepts parts in any order, and becomes the file that was sent", async () => {
    const { id: productId } = await aProduct();
    const fields = { name: "Large", description: "In parts", product_ids: [productId], sha256: sha256(content) };
    const { body } = await ask("POST /admin/uploads", aNew(fields));
    expect(body.data).toEqual({
      id: expect.any(Number),
      file_id: null,
      file_name: "large.bin",
      size_bytes: content.length,
      sha256: sha256(content),
      part_size: PART,
      parts: 2,
      received_parts: [],
      created_at: expect.any(String),
      expires_at: expect.any(String),
      completed_at: null,
    });
    const upload = `/admin/uploads/${body.data.id}`;
    expect((await put(upload, 2, parts[1])).body.data.received_parts).toEqual([2]);
    expect((await complete(upload)).body.code).toBe("upload_incomplete");
    expect((await put(upload, 1, parts[0])).body.data.received_parts).toEqual([1, 2]);
    const done = await complete(upload);
    expect(done.status).toBe(201);
    expect(done.body.data).toMatchObject({
      name: "Large",
      product_ids: [productId],
      sha256: sha256(content),
      version: 1,
    });
    expect(sha256((await follow(await linkTo(done.body.data.id))).bytes)).toBe(sha256(content));
    expect((await entriesOf(done.body.data.id))[0]).toMatchObject({ action: "file.create", actor: `user:${admin.id}` });
    expect(await brokenInvariants()).toEqual({});
  });

  it("may be larger than one request, up to 5 GB", async () => {
    const { status, body } = await ask("POST /admin/uploads", aNew({ size_bytes: 5_000_000_000 }));
    expect([status, body.data]).toEqual([201, expect.objectContaining({ part_size: PART, parts: 299 })]);
  });

  it("is resumed from the parts that arrived, and accepts a part any number of times", async () => {
    const upload = await begin();
    await put(upload, 2, new Uint8Array(1000));
    await put(upload, 2, parts[1]);
    expect((await ask(`GET ${upload}`)).body.data.received_parts).toEqual([2]);
    await put(upload, 1, parts[0]);
    expect((await complete(upload)).body.data.sha256).toBe(sha256(content));
  });

  it("returns its file again when it is completed again", async () => {
    const upload = await small(Buffer.from("hello"));
    await put(upload, 1, Uint8Array.from(Buffer.from("hello")));
    const { body } = await complete(upload);
    const again = await complete(upload);
    expect([again.status, again.body.data.id]).toEqual([201, body.data.id]);
    expect((await ask(`GET ${upload}`)).body.data).toMatchObject({
      file_id: body.data.id,
      completed_at: expect.any(String),
    });
    const late = [await put(upload, 1, Uint8Array.from(Buffer.from("hello"))), await ask(`DELETE ${upload}`)];
    for (const { status, body } of late) expect([status, body]).toEqual([409, aRefusal("upload_complete")]);
  });

  it("is completed once by two simultaneous requests", async () => {
    const bytes = bytesOf(1000);
    const upload = await small(bytes);
    await put(upload, 1, bytes);
    const answers = await Promise.all([complete(upload), complete(upload)]);
    const made = new Set(answers.filter(({ status }) => status === 201).map(({ body }) => body.data.id));
    expect(made.size).toBe(1);
    for (const { status } of answers) expect([201, 409]).toContain(status);
    await later();
    expect(await brokenInvariants()).toEqual({});
  });

  it("becomes a new version of a file", async () => {
    const file = await aFile({ fileName: "old.bin", mimeType: "application/octet-stream" });
    const bytes = bytesOf(1000);
    const fields = { file_id: file.id, file_name: "new.bin", size_bytes: bytes.length };
    const { body } = await ask("POST /admin/uploads", fields);
    const upload = `/admin/uploads/${body.data.id}`;
    await put(upload, 1, bytes);
    expect((await complete(upload)).body.data).toMatchObject({ id: file.id, version: 2, sha256: sha256(bytes) });
    expect((await entriesOf(file.id))[0]?.action).toBe("file.add_version");
  });

  it("is refused as a new version of a file that changed since it was read, at the start and at the end", async () => {
    const file = await aFile({ fileName: "old.bin", mimeType: "application/octet-stream" });
    const bytes = bytesOf(1000);
    const etag = async () => (await ask(`GET /admin/files/${file.id}`)).headers.get("ETag") ?? "";
    const seen = { "If-Match": await etag() };
    const version = { file_id: file.id, file_name: "new.bin", size_bytes: bytes.length };
    const { body } = await ask("POST /admin/uploads", version, seen);
    const upload = `/admin/uploads/${body.data.id}`;
    await put(upload, 1, bytes);

    await ask(`PUT /admin/files/${file.id}`, { name: "Changed by another" });
    expectRefusal(await ask("POST /admin/uploads", version, seen), 412, "if-match");
    expectRefusal(await ask(`POST ${upload}/complete`, undefined, seen), 412, "if-match");
    const { body: decided } = await ask(`POST ${upload}/complete`, undefined, { "If-Match": await etag() });
    expect(decided.data).toMatchObject({ id: file.id, name: "Changed by another", version: 2, sha256: sha256(bytes) });
  });
});

describe("an invalid upload", () => {
  it.each([
    ["file_name", { file_name: "../x" }],
    ["file_name", { file_name: undefined }],
    ["size_bytes", { size_bytes: 0 }],
    ["size_bytes", { size_bytes: 5_000_000_001 }],
    ["size_bytes", { size_bytes: 1.5 }],
    ["access", { access: undefined }],
    ["access", { access: "everyone" }],
    ["sha256", { sha256: "x" }],
    ["product_ids.0", { product_ids: [999_999] }],
    ["access", { file_id: 1 }],
    ["published", { file_id: 1 }],
    ["surprise", { surprise: true }],
  ])("is refused at once if it is %s: %j", async (field, fields) => {
    const before = await stored();
    expectRefusal(await ask("POST /admin/uploads", aNew(fields)), 400, field);
    expect(await stored()).toEqual(before);
  });

  it("is refused for an unknown file", async () => {
    const sent = { file_id: 999_999, file_name: "x.bin", size_bytes: 1 };
    expect((await ask("POST /admin/uploads", sent)).status).toBe(404);
  });

  it("is refused for a part of another size, number or type", async () => {
    const upload = await begin();
    expectRefusal(await put(upload, 2, parts[0]), 400, "body");
    expectRefusal(await put(upload, 2, new Uint8Array(999)), 400, "body");
    expectRefusal(await put(upload, 2, streamOf(new Uint8Array(999))), 400, "body");
    expectRefusal(await put(upload, 2, streamOf(new Uint8Array(1001))), 400, "body");
    expectRefusal(await put(upload, 2, undefined), 400, "body");
    expectRefusal(await put(upload, 2, parts[1], { "Content-Type": "application/json" }), 415, "body");
    expectRefusal(await put(upload, 0, parts[1]), 400, "number");
    expect((await put(upload, 3, parts[1])).status).toBe(404);
    expect((await ask(`GET ${upload}`)).body.data.received_parts).toEqual([]);
    expect((await put(upload, 2, streamOf(parts[1]))).status).toBe(200);
  });

  it.each([
    ["sha256", "large.bin", { sha256: "0".repeat(64) }],
    ["file", "picture.png", {}],
    ["file", "unknown.bin", { mime_type: "image/png" }],
  ])("is detected by reading it back, and leaves nothing: a wrong %s of %s", async (field, file_name, fields) => {
    const before = await stored();
    const bytes = bytesOf(1000);
    const upload = await small(bytes, { file_name, ...fields });
    await put(upload, 1, bytes);
    expectRefusal(await complete(upload), 400, field);
    expect((await ask(`GET ${upload}`)).status).toBe(404);
    expect(await stored()).toEqual(before);
  });

  it("is refused if too many are open", async () => {
    for (let open = 0; open < 20; open++) await small(new Uint8Array(1));
    const before = await stored();
    const { status, body } = await ask("POST /admin/uploads", aNew());
    expect([status, body]).toEqual([409, aRefusal("too_many_uploads", expect.stringContaining("Complete or cancel"))]);
    expect(await stored()).toEqual(before);
    const { body: open } = await ask("GET /admin/uploads");
    expect(open.pagination.total_items).toBe(20);
    expect((await ask(`DELETE /admin/uploads/${open.data[0].id}`)).status).toBe(204);
    expect((await ask("POST /admin/uploads", aNew())).status).toBe(201);
  });
});

describe("an upload that is not completed", () => {
  it("ends at once when it is deleted", async () => {
    const before = await stored();
    const upload = await begin();
    await put(upload, 2, parts[1]);
    expect((await ask(`DELETE ${upload}`)).status).toBe(204);
    expect((await ask(`DELETE ${upload}`)).status).toBe(404);
    expect((await put(upload, 1, parts[0])).status).toBe(404);
    expect(await stored()).toEqual(before);
  });

  it("cannot become a file once its content is being deleted", async () => {
    const bytes = bytesOf(1000);
    const upload = await small(bytes);
    await put(upload, 1, bytes);
    await db.update(orphanedObjects).set({ deleteAt: 0 });
    const { status, body } = await complete(upload);
    expect([status, body]).toEqual([409, aRefusal("upload_expired")]);
    await later();
    expect(await brokenInvariants()).toEqual({});
  });

  it("ends after a day, by the schedule", async () => {
    await later();
    const before = await stored();
    const upload = await begin();
    await put(upload, 2, parts[1]);
    await later(23 * 60 * 60 * 1000);
    expect((await ask(`GET ${upload}`)).status).toBe(200);
    await later(25 * 60 * 60 * 1000);
    expect((await ask(`GET ${upload}`)).status).toBe(404);
    expect(await stored()).toEqual(before);
  });
});

describe("a response that is lost during completion", () => {
  it.each([1, 2, 3, 4, 5])("does not prevent the next attempt: call %i", async (lost) => {
    const bytes = bytesOf(1000);
    const upload = await small(bytes);
    await put(upload, 1, bytes);
    let calls = 0;
    const bindings = watched(env, async (storage, send) => {
      if (storage === "durableObjects" || ++calls !== lost) return send();
      await send();
      throw new Error(storage === "d1" ? "D1_ERROR: Network connection lost." : "Network connection lost.");
    });
    const first = await callWith(bindings, `POST ${upload}/complete`, { as: admin.token });
    expect(calls).toBeGreaterThanOrEqual(lost);
    expect([500, 503]).toContain(first.status);
    const second = await complete(upload);
    expect([second.status, second.body.data?.sha256]).toEqual([201, sha256(bytes)]);
    expect(await brokenInvariants()).toEqual({});
  });
});

/** Bytes whose total length is not declared in advance. */
const streamOf = (bytes: Uint8Array = new Uint8Array()) =>
  new ReadableStream({
    start(controller) {
      controller.enqueue(bytes);
      controller.close();
    },
  });
