import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { auditLog, files, productFiles } from "../../../src/platform/db/schema.ts";
import { administration, entriesOf } from "../../support/administration.ts";
import { call, callWith } from "../../support/call.ts";
import { counted } from "../../support/counting.ts";
import { brokenInvariants } from "../../support/invariants.ts";
import { bytesOf, follow, linkTo, refusalOf, sha256 } from "../../support/links.ts";
import { expectRefusal } from "../../support/refusal.ts";
import { aFile, aPackage, aProduct, aUser, db } from "../../support/shop.ts";
import { aForm } from "../../support/uploads.ts";
import { later, stored, upload } from "./support.ts";

const { admin, ask } = administration();

const send = (fields?: Parameters<typeof upload>[1], file?: Parameters<typeof upload>[2]) =>
  upload(admin.token, fields, file);

const rowOf = (id: number) => db.select().from(files).where(eq(files.id, id)).get();

describe("uploading a file", () => {
  it("requires an access level and a file, and returns the whole record", async () => {
    const { status, body } = await send({}, { content: "a guide", name: "Résumé – 履歴書.txt" });
    expect(status).toBe(201);
    expect(body.data).toEqual({
      id: expect.any(Number),
      name: "Résumé – 履歴書.txt",
      description: "",
      file_name: "Résumé – 履歴書.txt",
      mime_type: "text/plain",
      size_bytes: 7,
      sha256: sha256(Buffer.from("a guide")),
      version: 1,
      access: "public",
      product_ids: [],
      published: false,
      published_at: null,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
  });

  it("is visible to buyers once it is published, with the bytes that were sent", async () => {
    const content = bytesOf(200_000);
    const { body } = await send({}, { content, name: "bytes.bin" });
    const { id } = body.data;
    expect((await call(`GET /download-file?file_id=${id}`, { as: (await aUser()).token })).status).toBe(404);
    await ask(`PUT /admin/files/${id}`, { published: true });
    const { bytes, headers } = await follow(await linkTo(id));
    expect(sha256(bytes)).toBe(sha256(content));
    expect(headers.get("Content-Disposition")).toMatch(/^attachment; /);
  });

  it("accepts a file of several R2 parts, whatever the size of the last one", async () => {
    const chunk = 8 * 1024 * 1024;
    for (const size of [chunk - 1, chunk, chunk + 1, 2 * chunk]) {
      const content = bytesOf(size);
      const { status, body } = await send({ published: "true" }, { content, name: "large.bin" });
      expect([status, body.data.size_bytes, body.data.sha256]).toEqual([201, size, sha256(content)]);
      expect(sha256((await follow(await linkTo(body.data.id))).bytes)).toBe(sha256(content));
    }
    expect(await brokenInvariants()).toEqual({});
  });

  it("accepts all optional fields, and is sold with its products from then on", async () => {
    const [one, two] = [await aProduct(), await aProduct()];
    const fields = { name: "Guide", description: "How to", access: "package", published: "true" };
    const { body } = await send({ ...fields, product_ids: [String(two.id), String(one.id)] });
    expect(body.data).toMatchObject({ ...fields, published: true, product_ids: [one.id, two.id] });
    const product = await ask(`GET /admin/products/${one.id}`);
    expect(product.body.data.files).toEqual([{ id: body.data.id, name: "Guide" }]);
  });

  it("counts as an edit of its products: a concurrent editor is told", async () => {
    const { id } = await aProduct();
    const etag = String((await ask(`GET /admin/products/${id}`)).headers.get("ETag"));
    await send({ product_ids: String(id) });
    expectRefusal(await ask(`PUT /admin/products/${id}`, { file_ids: [] }, { "If-Match": etag }), 412, "if-match");
  });

  it("is logged with its fields", async () => {
    const { body } = await send({ name: "Logged" });
    const [entry] = await entriesOf(body.data.id);
    expect(entry).toMatchObject({ actor: `user:${admin.id}`, action: "file.create", subject: "file", before: null });
    expect(entry?.after).toMatchObject({ name: "Logged", sha256: sha256(Buffer.from("hello")), version: 1 });
  });

  it("accepts a matching SHA-256 in either case", async () => {
    const digest = sha256(Buffer.from("hello"));
    expect((await send({ sha256: digest })).status).toBe(201);
    expect((await send({ sha256: digest.toUpperCase() })).status).toBe(201);
  });

  it.each([
    ["access", { access: "everyone" }],
    ["access", { access: "" }],
    ["access", { access: ["public", "package"] }],
    ["name", { name: "x".repeat(201) }],
    ["published", { published: "yes" }],
    ["product_ids.1", { product_ids: ["1", "999999"] }],
    ["product_ids.0", { product_ids: "1,2" }],
    ["sha256", { sha256: "abc" }],
    ["sha256", { sha256: "0".repeat(64) }],
    ["surprise", { surprise: "1" }],
    ["__proto__", { ["__proto__"]: "1" }],
  ])("refuses a wrong %s and leaves nothing behind: %j", async (field, fields) => {
    const before = await stored();
    expectRefusal(await send(fields), 400, field);
    expect(await stored()).toEqual(before);
  });

  it("refuses a field of more than 64 KB, which the parser truncates, and leaves nothing behind", async () => {
    const before = await stored();
    expectRefusal(await send({ name: `Tea${" ".repeat(70_000)}and cake` }), 400, "name");
    expect(await stored()).toEqual(before);
  });

  it("refuses a wrong SHA-256 for a file of several parts, and leaves nothing behind", async () => {
    const before = await stored();
    const content = bytesOf(9_000_000);
    expectRefusal(await send({ sha256: "0".repeat(64) }, { content, name: "large.bin" }), 400, "sha256");
    expect(await stored()).toEqual(before);
    expect(await brokenInvariants()).toEqual({});
  });

  it("refuses an empty file, a missing file, a second file, and fields after it", async () => {
    const before = await stored();
    expectRefusal(await send({}, { content: "" }), 400, "file");
    const post = (form: FormData) => ask("POST /admin/files", form);
    const none = new FormData();
    none.append("access", "public");
    expectRefusal(await post(none), 400, "file");
    const other = new FormData();
    other.append("attachment", new File(["x"], "x.txt"));
    expectRefusal(await post(other), 400, "file");
    const late = aForm({ access: "public" });
    late.append("name", "Too late");
    const answer = await post(late);
    expectRefusal(answer, 400, "name", "misplaced");
    expect(answer.body.errors.name).toEqual(["must come before the file"]);
    const two = aForm({ access: "public" });
    two.append("file", new File(["x"], "x.txt"));
    expectRefusal(await post(two), 400, "file");
    expect(await stored()).toEqual(before);
  });

  it.each([
    ["application/json", "{}", 415],
    ["text/plain", "hello", 415],
    ["multipart/form-data", "hello", 400],
    ["multipart/form-data; boundary=x", "hello", 400],
    ["multipart/form-data; boundary=x", "", 400],
  ])("refuses a body of type %s that contains %j", async (type, body, status) => {
    const answer = await ask("POST /admin/files", body, { "Content-Type": type });
    expect(answer.status).toBe(status);
    expect(Object.keys(answer.body.errors)).toHaveLength(1);
  });

  it("refers to multipart uploads for files larger than one request", async () => {
    const headers = { "Content-Type": "multipart/form-data; boundary=x", "Content-Length": "100000001" };
    const { status, body } = await ask("POST /admin/files", "x", headers);
    expect(status).toBe(413);
    expect(body.message).toContain("/api/v1/admin/uploads");
  });

  it("calls the database three times and R2 once for a file of one part", async () => {
    const { bindings, trips } = counted();
    const fields = { access: "public", product_ids: String((await aProduct()).id) };
    await callWith(bindings, "POST /admin/files", { as: admin.token, body: aForm(fields) });
    expect(trips).toMatchObject({ d1: 3, r2: 1 });
  });
});

describe("the content of a file", () => {
  const PNG = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]);
  const ZIP = Uint8Array.from([0x50, 0x4b, 0x03, 0x04, 20, 0, 0, 0]);
  const JUNK = Uint8Array.from([1, 2, 3, 4, 5, 6, 7, 0]);

  it.each([
    ["picture.png", PNG, "image/png"],
    ["PICTURE.PNG", PNG, "image/png"],
    ["archive.zip", ZIP, "application/zip"],
    ["book.epub", ZIP, "application/epub+zip"],
    ["letter.docx", ZIP, "application/vnd.openxmlformats-officedocument.wordprocessingml.document"],
    ["program.jar", ZIP, "application/java-archive"],
    ["unknown.sketch", ZIP, "application/octet-stream"],
    ["unknown", JUNK, "application/octet-stream"],
    ["notes.txt", "Hello, wörld\r\n\tand more", "text/plain"],
    ["latin.csv", Uint8Array.from([0x63, 0x61, 0x66, 0xe9, 0x0a]), "text/csv"],
    ["utf16.txt", Uint8Array.from([0xff, 0xfe, 0x68, 0x00]), "text/plain"],
    ["page.html", "<script>alert(1)</script>", "text/html"],
    ["drawing.svg", "<svg xmlns='http://www.w3.org/2000/svg'/>", "image/svg+xml"],
    ["BMW.txt", "BMW", "text/plain"],
    ["song.mp3", Uint8Array.from([0xff, 0xfa, 0x90, 0]), "audio/mpeg"],
    ["untyped.bin", JUNK, "application/octet-stream", "text/plain"],
  ])(
    "is told by the name and the content, whatever the sender says: %s",
    async (name, content, mime, type = "application/octet-stream") => {
      const { status, body } = await send({}, { content, name, type });
      expect([status, body.data?.mime_type, body.errors]).toEqual([201, mime, undefined]);
    },
  );

  it.each([
    ["picture.png", ZIP, "", "png", "zip"],
    ["picture.png", "<html>", "image/png", "png", "text"],
    ["guide.pdf", ZIP, "", "pdf", "zip"],
    ["notes.txt", PNG, "", "txt", "png"],
    ["letter.docx", PNG, "", "docx", "png"],
    ["song.mp3", ZIP, "", "mp3", "zip"],
    ["data.json", JUNK, "", "json", "something else"],
    ["unknown.bin", ZIP, "image/png", "image/png", "zip"],
    ["unknown.bin", PNG, "text/csv", "text/csv", "png"],
  ])("refuses %s with other content", async (name, content, type, claimed, found) => {
    const before = await stored();
    const answer = await send({}, { content, name, type });
    expectRefusal(answer, 400, "file");
    expect(answer.body.errors.file[0]).toContain(claimed);
    expect(answer.body.errors.file[0]).toContain(found);
    expect(await stored()).toEqual(before);
  });

  it("never runs in a browser, whatever it contains", async () => {
    const page = `<script>alert(1)</script>${" ".repeat(70_000)}`;
    const { body } = await send({ published: "true" }, { content: page, name: "page.html" });
    const { headers } = await follow(await linkTo(body.data.id));
    expect(headers.get("Content-Disposition")).toMatch(/^attachment; /);
    expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
    const short = await send({ published: "true" }, { content: "<script>alert(1)</script>", name: "short.html" });
    const data = await call(`GET /download-file?file_id=${short.body.data.id}`);
    expect(data.headers.get("Content-Type")).toMatch(/^application\/json/);
    expect(data.headers.get("X-Content-Type-Options")).toBe("nosniff");
  });
});

describe("the name of a file", () => {
  it.each([
    ["../../etc/passwd", "passwd"],
    ["C:\\fakepath\\guide.txt", "guide.txt"],
    [" spaced.txt ", "spaced.txt"],
    ["emoji 👩‍🚀.txt", "emoji 👩‍🚀.txt"],
  ])("is the last part of a path: %j", async (name, kept) => {
    const { status, body } = await send({}, { name });
    expect([status, body.data?.file_name]).toEqual([201, kept]);
  });

  const hostile = [
    "",
    "..",
    ".htaccess",
    "trailing.txt.",
    "nul\u0000.txt",
    "line\nbreak.txt",
    "bell\u0007.txt",
    "con",
    "LPT1.txt",
    "invoice\u202Efdp.exe",
    "separator\u2028.txt",
    `${"x".repeat(252)}.txt`,
    "履".repeat(90),
    "half\ud800.txt",
  ];

  it.each(hostile)("is refused if it is invalid: %j", async (name) => {
    const file = await aFile();
    expectRefusal(await ask(`PUT /admin/files/${file.id}`, { file_name: name }), 400, "file_name");
    expect((await rowOf(file.id))?.fileName).toBe(file.fileName);
  });

  it.each(["a/b.txt", "a\\b.txt", "../a.txt"])("is refused if it is a path: %j", async (name) => {
    const file = await aFile();
    expectRefusal(await ask(`PUT /admin/files/${file.id}`, { file_name: name }), 400, "file_name");
  });

  it("keeps the type that was detected from the content", async () => {
    const { id } = await aFile();
    expectRefusal(await ask(`PUT /admin/files/${id}`, { file_name: "page.html" }), 400, "file_name");
    expect((await ask(`PUT /admin/files/${id}`, { file_name: "Другое.TXT" })).body.data.file_name).toBe("Другое.TXT");
  });
});

describe("the list of files", () => {
  it("is newest first, and found by name, file name, access and publication", async () => {
    const shown = await aFile({ name: "The Blue Lamp", fileName: "lamp.txt" });
    const draft = await aFile({ name: "Draft", fileName: "BLUE-draft.txt", access: "package", publishedAt: null });
    const idsOf = async (query: string) =>
      (await ask(`GET /admin/files?${query}`)).body.data.map(({ id }: { id: number }) => id);
    expect(await idsOf("search=blue")).toEqual([draft.id, shown.id]);
    expect(await idsOf("search=blue%20lam")).toEqual([shown.id]);
    expect(await idsOf("search=blue&published=false")).toEqual([draft.id]);
    expect(await idsOf("search=blue&access=public")).toEqual([shown.id]);
    expect(await idsOf("search=%25")).toEqual([]);
    expect(await idsOf(`search=${encodeURIComponent("' OR 1=1 --")}`)).toEqual([]);
    expect(await idsOf(`search=${"x".repeat(200)}`)).toEqual([]);
  });

  it.each([
    ["search", `search=${"x".repeat(201)}`],
    ["access", "access=all"],
    ["published", "published=1"],
    ["color", "color=blue"],
  ])("refuses a wrong %s", async (field, query) => {
    expectRefusal(await ask(`GET /admin/files?${query}`), 400, field);
  });
});

describe("editing a file", () => {
  it("changes only the fields that are sent, and logs them", async () => {
    const file = await aFile();
    const { status, body } = await ask(`PUT /admin/files/${file.id}`, { name: "Renamed" });
    expect([status, body.data.name]).toEqual([200, "Renamed"]);
    expect(await rowOf(file.id)).toEqual({ ...file, name: "Renamed", updatedAt: expect.any(Number) });
    expect((await entriesOf(file.id))[0]).toMatchObject({
      action: "file.update",
      before: { name: file.name },
      after: { name: "Renamed" },
    });
  });

  it("publishes and unpublishes, and keeps the time of the first publication", async () => {
    const { id, publishedAt } = await aFile();
    await ask(`PUT /admin/files/${id}`, { published: true });
    expect((await rowOf(id))?.publishedAt).toBe(publishedAt);
    const { body } = await ask(`PUT /admin/files/${id}`, { published: false });
    expect(body.data).toMatchObject({ published: false, published_at: null });
  });

  it("replaces the list of products, and clears it", async () => {
    const { id } = await aFile();
    const [one, two] = [await aProduct({ fileIds: [id] }), await aProduct()];
    expect((await ask(`PUT /admin/files/${id}`, { product_ids: [two.id] })).body.data.product_ids).toEqual([two.id]);
    expect((await ask(`GET /admin/products/${one.id}`)).body.data.files).toEqual([]);
    expect((await ask(`PUT /admin/files/${id}`, { product_ids: [] })).body.data.product_ids).toEqual([]);
    expectRefusal(await ask(`PUT /admin/files/${id}`, { product_ids: [two.id, 999_999] }), 400, "product_ids.1");
  });

  it("refuses a body that changes nothing", async () => {
    const { id } = await aFile();
    expectRefusal(await ask(`PUT /admin/files/${id}`, {}), 400, "body");
  });
});

describe("deleting a file", () => {
  it("removes it from its products, and its object in the schedule's next run", async () => {
    const file = await aFile();
    const { id } = await aProduct({ fileIds: [file.id] });
    expect((await ask(`DELETE /admin/files/${file.id}`)).status).toBe(204);
    expect(await rowOf(file.id)).toBeUndefined();
    expect(await db.select().from(productFiles).where(eq(productFiles.productId, id)).all()).toEqual([]);
    expect((await entriesOf(file.id))[0]).toMatchObject({ action: "file.delete", after: null });
    expect(await brokenInvariants()).toEqual({});
    await later(1000);
    expect(await env.FILES.head(file.r2Key)).toBeNull();
  });

  it("is refused while a package contains it, and says how to remove it for everyone", async () => {
    const file = await aFile();
    await aPackage((await aUser()).id, [file.id]);
    const { status, body } = await ask(`DELETE /admin/files/${file.id}`);
    expect([status, body.message]).toEqual([409, expect.stringContaining("Unpublish")]);
    expect(await rowOf(file.id)).toEqual(file);
    expect(await entriesOf(file.id)).toEqual([]);
    await later();
    expect(await env.FILES.head(file.r2Key)).not.toBeNull();
  });

  it("ends its links at once", async () => {
    const file = await aFile({ content: bytesOf(1000), mimeType: "application/zip" });
    const link = await linkTo(file.id);
    await ask(`DELETE /admin/files/${file.id}`);
    expect((await follow(link)).status).toBe(403);
  });
});

describe("a new version of a file", () => {
  const old = bytesOf(1000);
  const fresh = bytesOf(700).reverse();
  const aVersioned = () => aFile({ content: old, mimeType: "application/octet-stream", fileName: "old.bin" });
  const replace = (id: number) =>
    ask(`POST /admin/files/${id}/versions`, aForm({}, { content: fresh, name: "new.bin" }));

  it("has its own content and name, and the same id for buyers", async () => {
    const file = await aVersioned();
    const { status, body } = await replace(file.id);
    expect(status).toBe(201);
    expect(body.data).toMatchObject({
      id: file.id,
      name: file.name,
      file_name: "new.bin",
      version: 2,
      size_bytes: 700,
      sha256: sha256(fresh),
    });
    expect(sha256((await follow(await linkTo(file.id))).bytes)).toBe(sha256(fresh));
    expect((await entriesOf(file.id))[0]).toMatchObject({
      action: "file.add_version",
      before: { version: 1, sha256: file.sha256 },
      after: { version: 2, sha256: sha256(fresh) },
    });
  });

  it("lets a running download finish with the old content", async () => {
    const file = await aVersioned();
    const link = await linkTo(file.id);
    await replace(file.id);
    await later(11 * 60_000);
    const { status, headers, bytes } = await follow(link, { headers: { Range: "bytes=500-" } });
    expect([status, headers.get("ETag")]).toEqual([206, `"${file.sha256}"`]);
    expect(sha256(bytes)).toBe(sha256(old.slice(500)));
    expect(headers.get("Content-Disposition")).toContain("old.bin");
  });

  it("leaves no old content once no link to it can be valid", async () => {
    const file = await aVersioned();
    const link = await linkTo(file.id);
    await replace(file.id);
    await later();
    expect(await env.FILES.head(file.r2Key)).toBeNull();
    expect(await refusalOf(link)).toEqual([403, [{ field: "token", code: "link_outdated" }]]);
    expect(await brokenInvariants()).toEqual({});
  });

  it("is validated like any content, and leaves the file unchanged when it is refused", async () => {
    const file = await aVersioned();
    const before = await stored();
    const zipAsPng = aForm({}, { content: "PK\u0003\u0004", name: "x.png" });
    expectRefusal(await ask(`POST /admin/files/${file.id}/versions`, zipAsPng), 400, "file");
    expectRefusal(await ask(`POST /admin/files/${file.id}/versions`, aForm({ name: "x" })), 400, "name");
    expect(await stored()).toEqual(before);
  });

  it("can be one of many simultaneous ones: each is whole, and the versions count up", async () => {
    const file = await aVersioned();
    const answers = await Promise.all(Array.from({ length: 5 }, () => replace(file.id)));
    const won = answers.filter(({ status }) => status === 201).length;
    expect(won).toBeGreaterThan(0);
    for (const { status } of answers) expect([201, 409]).toContain(status);
    expect((await rowOf(file.id))?.version).toBe(1 + won);
    await later();
    expect(await brokenInvariants()).toEqual({});
  });
});

it("keeps secrets and storage locations out of logs and responses", async () => {
  const { body } = await send();
  const row = await rowOf(body.data.id);
  expect(JSON.stringify(body)).not.toContain(row?.r2Key);
  expect(JSON.stringify(await db.select().from(auditLog).all())).not.toContain(row?.r2Key);
});
