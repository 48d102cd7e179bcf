import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { BASE, call, callWith, ORIGIN } from "../support/call.ts";
import { counted } from "../support/counting.ts";
import { anArchive, aPurchase, download, follow, sha256, usedOf } from "../support/links.ts";
import { denied, lacking } from "../support/refusal.ts";
import { aFile, aKey, aPackage, aUser } from "../support/shop.ts";

const KIB_64 = 64 * 1024;

it.each([
  ["text/plain", "hello, wörld"],
  ["text/csv", "a,b\n1,2\n"],
  ["text/html", "<script>alert(1)</script>"],
  ["application/json", '{"licence": "é"}'],
  ["text/plain", ""],
  ["text/plain", "x".repeat(KIB_64)],
])("returns a small %s as data", async (mimeType, content) => {
  const file = await aFile({ mimeType, content });
  const { status, body, headers } = await download(file.id);
  expect(status).toBe(200);
  expect(headers.get("Content-Type")).toMatch(/^application\/json/);
  expect(body.data).toStrictEqual({
    kind: "data",
    encoding: "utf-8",
    content,
    file_name: file.fileName,
    mime_type: mimeType,
    size_bytes: new TextEncoder().encode(content).length,
    sha256: file.sha256,
    downloads_remaining: null,
  });
});

it.each([
  ["application/zip", "PK"],
  ["image/svg+xml", "<svg/>"],
  ["application/pdf", "%PDF"],
  ["text/plain", "x".repeat(KIB_64 + 1)],
  ["application/json", `"${"x".repeat(KIB_64)}"`],
])("returns a %s as a link if it is not text, or too long", async (mimeType, content) => {
  const file = await aFile({ mimeType, content });
  const { status, body } = await download(file.id);
  expect(status).toBe(200);
  expect(body.data).toStrictEqual({
    kind: "link",
    url: expect.stringMatching(`^${ORIGIN}/api/v1/user/downloads\\?token=`),
    expires_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    accept_ranges: "bytes",
    file_name: file.fileName,
    mime_type: mimeType,
    size_bytes: content.length,
    sha256: file.sha256,
    downloads_remaining: null,
  });
});

it.each([
  ["that begins with a byte order mark", new Uint8Array([0xef, 0xbb, 0xbf, 0x61])],
  ["in another encoding than UTF-8", new Uint8Array([0x63, 0x61, 0x66, 0xe9])],
])("returns a text %s without loss: the content has its stated SHA-256", async (_, content) => {
  const file = await aFile({ mimeType: "text/csv", content });
  const { body } = await download(file.id);
  if (body.data.kind === "data") expect(sha256(new TextEncoder().encode(body.data.content))).toBe(body.data.sha256);
});

it("requires sign-in for files that are not public, and for missing ones alike", async () => {
  const files = [
    (await aFile({ access: "authenticated" })).id,
    (await anArchive({ access: "package" })).id,
    (await aFile({ publishedAt: null })).id,
    987_654,
  ];
  const answers = await Promise.all(files.map((id) => download(id)));
  for (const { status, headers, body } of answers) {
    expect([status, headers.get("WWW-Authenticate")]).toEqual([401, expect.stringMatching(/^Bearer/)]);
    expect(body).toEqual(answers[0]?.body);
  }
});

it("tells a user that a file is missing, or that a package is required", async () => {
  const { token } = await aUser();
  expect((await download(987_654, token)).status).toBe(404);
  const { status, body } = await download((await aFile({ access: "package" })).id, token);
  expect([status, body]).toEqual([
    403,
    {
      status: "error",
      message: expect.any(String),
      code: "download_denied",
      errors: { file_id: ["needs a download package"] },
      details: [denied("no_package")],
    },
  ]);
});

it("gives an API key public files and those that need a login, and none of a package", async () => {
  const { key } = await aKey({ permissions: ["files:read"] });
  expect((await download((await aFile()).id, key)).body.data.kind).toBe("data");
  expect((await download((await anArchive({ access: "authenticated" })).id, key)).body.data.kind).toBe("link");
  const refused = await download((await aFile({ access: "package" })).id, key);
  expect([refused.status, refused.body.details]).toEqual([403, [denied("login_required")]]);
  const without = await download((await aFile()).id, (await aKey({ permissions: ["products:read"] })).key);
  expect([without.status, without.body.details]).toEqual([403, [lacking("files:read")]]);
});

it.each(["", "?file_id=", "?file_id=0", "?file_id=abc", "?file_id=1&file_id=2"])("refuses %j", async (query) => {
  const { status, body } = await call(`GET /download-file${query}`);
  expect([status, Object.keys(body.errors)]).toEqual([400, ["file_id"]]);
});

it("counts data on the package once per response, up to its limit", async () => {
  const user = await aUser();
  const file = await aFile({ access: "package", content: "licence" });
  const { id } = await aPackage(user.id, [file.id], { downloadLimit: 2 });
  const answers = [];
  for (let i = 0; i < 3; i++) answers.push(await download(file.id, user.token));
  expect(answers.map(({ status, body }) => body.data?.downloads_remaining ?? [status, body.details])).toEqual([
    1,
    0,
    [403, [denied("limit_reached")]],
  ]);
  expect(await usedOf(id)).toBe(2);
});

it("returns data no more often than the package allows, however many ask at once", async () => {
  const user = await aUser();
  const file = await aFile({ access: "package", content: "licence" });
  const { id } = await aPackage(user.id, [file.id], { downloadLimit: 3 });
  const answers = await Promise.all(Array.from({ length: 12 }, () => download(file.id, user.token)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([...Array(3).fill(200), ...Array(9).fill(403)]);
  expect(await usedOf(id)).toBe(3);
});

it("counts no data that was not sent: HEAD", async () => {
  const user = await aUser();
  const file = await aFile({ access: "package" });
  const { id } = await aPackage(user.id, [file.id], { downloadLimit: 2 });
  const { bytes } = await follow(`${BASE}/download-file?file_id=${file.id}`, { as: user.token, method: "HEAD" });
  expect(bytes).toHaveLength(0);
  expect(await usedOf(id)).toBe(0);
});

it("uses a package without a limit before one with", async () => {
  const user = await aUser();
  const { fileId, packageId } = await aPurchase(
    user.id,
    { downloadLimit: 1 },
    { mimeType: "text/plain", content: "text" },
  );
  const endless = await aPackage(user.id, [fileId]);
  expect((await download(fileId, user.token)).body.data.downloads_remaining).toBeNull();
  expect([await usedOf(packageId), await usedOf(endless.id)]).toEqual([0, 1]);
});

it("answers 500 if a file's bytes are missing, without the reason, and counts nothing", async () => {
  const user = await aUser();
  const file = await aFile({ access: "package" });
  const { id } = await aPackage(user.id, [file.id], { downloadLimit: 1 });
  await env.FILES.delete(file.r2Key);
  const { status, body } = await download(file.id, user.token);
  expect([status, body.errors]).toEqual([500, {}]);
  expect(body.message).not.toContain(file.r2Key);
  expect(await usedOf(id)).toBe(0);
});

it("reads once and writes once for data, and reads once for a link", async () => {
  const user = await aUser();
  const text = await aFile({ access: "package" });
  const archive = await anArchive({ access: "package" });
  await aPackage(user.id, [text.id, archive.id]);
  for (const [id, expected] of [
    [text.id, { d1: 2, durableObjects: 2, r2: 1 }],
    [archive.id, { d1: 1, durableObjects: 2, r2: 0 }],
  ] as const) {
    const { bindings, trips } = counted();
    await callWith(bindings, `GET /download-file?file_id=${id}`, { as: user.token });
    expect(trips).toEqual(expected);
  }
});
