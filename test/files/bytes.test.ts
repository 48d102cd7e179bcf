import { beforeAll, describe, expect, it } from "vitest";
import { anArchive, aPurchase, bytesOf, follow, linkTo, open, sha256, usedOf } from "../support/links.ts";
import { aRefusal } from "../support/refusal.ts";
import { aUser } from "../support/shop.ts";

const SIZE = 1000;
const content = bytesOf(SIZE);

let url: string;
let etag: string;

beforeAll(async () => {
  const file = await anArchive({ content, fileName: "Résumé – 履歴書.zip" });
  url = await linkTo(file.id);
  etag = `"${file.sha256}"`;
});

describe("the whole file", () => {
  it("has the headers that a client needs to cache it and to resume", async () => {
    const { status, headers, bytes } = await follow(url);
    expect(status).toBe(200);
    expect(bytes).toEqual(content);
    expect(Object.fromEntries(headers)).toMatchObject({
      etag: `"${sha256(content)}"`,
      "accept-ranges": "bytes",
      "content-length": String(SIZE),
      "content-type": "application/zip",
      "x-content-type-options": "nosniff",
      "cross-origin-resource-policy": "cross-origin",
      // Cloudflare leaves the file uncompressed, with its length and its strong ETag.
      "cache-control": "private, no-cache, no-transform",
      "access-control-allow-origin": "*",
      "ratelimit-policy": '"anonymous";q=100;w=60',
    });
    expect(headers.get("Content-Range")).toBeNull();
    const disposition = headers.get("Content-Disposition") ?? "";
    expect(disposition).toMatch(/^attachment; /);
    expect(disposition).toContain(`filename*=UTF-8''${encodeURIComponent("Résumé – 履歴書.zip")}`);
    expect(disposition).toMatch(/^[\x20-\x7e]+$/);
  });

  it("is described by HEAD without its bytes", async () => {
    const [whole, head] = [await follow(url), await follow(url, { method: "HEAD" })];
    expect([head.status, head.bytes.length]).toEqual([200, 0]);
    for (const name of ["ETag", "Accept-Ranges", "Content-Length", "Content-Type", "Content-Disposition"]) {
      expect([name, head.headers.get(name)]).toEqual([name, whole.headers.get(name)]);
    }
  });

  it("is an attachment whatever it contains, and never a page of this origin", async () => {
    const file = await anArchive({ mimeType: "text/html", content: "x".repeat(70_000), fileName: 'a"b\\c.html' });
    const { headers } = await follow(await linkTo(file.id));
    expect(headers.get("Content-Disposition")).toMatch(/^attachment; filename=/);
    expect(headers.get("Content-Security-Policy")).toContain("default-src 'none'");
  });

  it("may be empty", async () => {
    const { status, headers, bytes } = await follow(await linkTo((await anArchive({ content: "" })).id));
    expect([status, bytes.length, headers.get("Content-Length")]).toEqual([200, 0, "0"]);
  });
});

describe("a range of it", () => {
  it.each([
    ["bytes=0-0", 0, 0],
    ["bytes=0-99", 0, 99],
    ["bytes=250-749", 250, 749],
    ["bytes=-1", 999, 999],
    ["bytes=-300", 700, 999],
    ["bytes=900-", 900, 999],
    ["bytes=0-", 0, 999],
    ["bytes=999-5000", 999, 999],
    ["bytes=-5000", 0, 999],
  ])("%s is bytes %i to %i", async (range, start, end) => {
    const { status, headers, bytes } = await follow(url, { headers: { Range: range } });
    expect(status).toBe(206);
    expect(headers.get("Content-Range")).toBe(`bytes ${start}-${end}/${SIZE}`);
    expect(headers.get("Content-Length")).toBe(String(end - start + 1));
    expect(headers.get("ETag")).toBe(etag);
    expect(bytes).toEqual(content.slice(start, end + 1));
  });

  it.each(["bytes=1000-", "bytes=1000-1001", "bytes=99999999999999999999-", "bytes=-0"])(
    "%s lies outside",
    async (range) => {
      const { status, headers, bytes } = await follow(url, { headers: { Range: range } });
      expect([status, headers.get("Content-Range")]).toEqual([416, `bytes */${SIZE}`]);
      expect(JSON.parse(new TextDecoder().decode(bytes))).toEqual(aRefusal("range_not_satisfiable"));
    },
  );

  it.each([
    "bytes=abc",
    "bytes=",
    "bytes=-",
    "bytes=1",
    "bytes=5-2",
    "bytes=0x1-2",
    "items=0-1",
    "0-1",
    "bytes=0-1,5-6",
    "bytes=0-0,-1",
    "bytes=0-1,5000-5001",
    "bytes=0-1,abc",
  ])("%s is malformed, or has several ranges: the whole file", async (range) => {
    const { status, headers, bytes } = await follow(url, { headers: { Range: range } });
    expect([status, headers.get("Content-Range")]).toEqual([200, null]);
    expect(bytes).toEqual(content);
  });

  it("is sent if If-Range names the current file", async () => {
    const Range = "bytes=10-19";
    const statusWith = async (condition: string) =>
      (await follow(url, { headers: { Range, "If-Range": condition } })).status;
    expect(await statusWith(etag)).toBe(206);
    for (const other of ['"another"', `W/${etag}`, "Wed, 21 Oct 2015 07:28:00 GMT", etag.slice(1, -1)]) {
      expect([other, await statusWith(other)]).toEqual([other, 200]);
    }
    const outside = await follow(url, { headers: { Range: "bytes=5000-", "If-Range": '"another"' } });
    expect(outside.status).toBe(200);
  });

  it("is only for GET: HEAD describes the whole file", async () => {
    for (const range of ["bytes=0-9", "bytes=5000-"]) {
      const { status, headers } = await follow(url, { method: "HEAD", headers: { Range: range } });
      expect([status, headers.get("Content-Length"), headers.get("Content-Range")]).toEqual([200, String(SIZE), null]);
    }
  });
});

it("is not sent again to a client that has it", async () => {
  for (const known of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
    const { status, headers, bytes } = await follow(url, { headers: { "If-None-Match": known, Range: "bytes=0-9" } });
    expect([known, status, bytes.length]).toEqual([known, 304, 0]);
    expect([headers.get("ETag"), headers.get("RateLimit-Policy")]).toEqual([etag, '"anonymous";q=100;w=60']);
    expect(headers.get("Access-Control-Allow-Origin")).toBe("*");
  }
  for (const known of ['"other"', etag.slice(1, -1)]) {
    expect((await follow(url, { headers: { "If-None-Match": known } })).status).toBe(200);
  }
});

it.each([
  ["the file that is there", () => etag, 200],
  ["one of several", () => `"another", ${etag}`, 200],
  ["any file", () => "*", 200],
  ["another file", () => '"another"', 412],
  ["the file that is there, by an ETag that the edge made weak", () => `W/${etag}`, 200],
  ["another file, by a weak ETag", () => 'W/"another"', 412],
])("is refused unless If-Match names the file: %s", async (_, condition, expected) => {
  const { status } = await follow(url, { headers: { "If-Match": condition() } });
  expect(status).toBe(expected);
});

it("is complete when a download of 8 MB breaks off after 3 MB and is resumed", async () => {
  const user = await aUser();
  const large = bytesOf(8_000_000);
  const { fileId, packageId } = await aPurchase(user.id, { downloadLimit: 1 }, { content: large });
  const address = await linkTo(fileId, user.token);
  const first = await open(address);
  const chunks: Uint8Array[] = [];
  let got = 0;
  const reader = (first.body ?? new ReadableStream()).getReader();
  while (got < 3_000_000) {
    const { value, done } = await reader.read();
    if (done) throw new Error("the file ended early");
    chunks.push(value);
    got += value.length;
  }
  await reader.cancel();
  expect(got).toBeLessThan(large.length);
  const headers = { Range: `bytes=${got}-`, "If-Range": first.headers.get("ETag") ?? "" };
  const rest = await follow(address, { headers });
  expect([rest.status, rest.headers.get("Content-Range")]).toEqual([206, `bytes ${got}-7999999/8000000`]);
  expect(sha256(Buffer.concat([...chunks, rest.bytes]))).toBe(sha256(large));
  expect(await usedOf(packageId)).toBe(1);
});
