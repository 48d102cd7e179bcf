import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { decodeJwt, SignJWT } from "jose";
import { describe, expect, it } from "vitest";
import { app } from "../../src/app.ts";
import { downloads } from "../../src/platform/db/schema.ts";
import { anAccount, PASSWORD } from "../support/accounts.ts";
import { call, callWith, requestTo } from "../support/call.ts";
import { counted } from "../support/counting.ts";
import {
  anArchive,
  aPurchase,
  bytesOf,
  download,
  follow,
  LONG_TEXT,
  linkTo,
  refusalOf,
  usedOf,
} from "../support/links.ts";
import { denied } from "../support/refusal.ts";
import { aFile, aPackage, aUser, db } from "../support/shop.ts";

it("counts a link when its bytes are sent: not when it is made, not on HEAD, not on 304, not on 416", async () => {
  const user = await aUser();
  const { fileId, packageId } = await aPurchase(user.id, { downloadLimit: 5 });
  const { body } = await download(fileId, user.token);
  expect(body.data.downloads_remaining).toBe(5);
  const { url, sha256 } = body.data;
  await linkTo(fileId, user.token);
  const before = [
    await follow(url, { method: "HEAD" }),
    await follow(url, { headers: { "If-None-Match": `"${sha256}"` } }),
    await follow(url, { headers: { Range: "bytes=5000-" } }),
  ];
  expect(before.map(({ status }) => status)).toEqual([200, 304, 416]);
  expect(await usedOf(packageId)).toBe(0);
  expect((await follow(url)).status).toBe(200);
  expect(await usedOf(packageId)).toBe(1);
  expect((await download(fileId, user.token)).body.data.downloads_remaining).toBe(4);
});

it("counts a link once, however often it is resumed, even if the limit is reached meanwhile", async () => {
  const user = await aUser();
  const { fileId, packageId } = await aPurchase(user.id, { downloadLimit: 2 });
  const [mine, other, late] = [
    await linkTo(fileId, user.token),
    await linkTo(fileId, user.token),
    await linkTo(fileId, user.token),
  ];
  expect((await follow(mine, { headers: { Range: "bytes=0-99" } })).status).toBe(206);
  expect((await follow(mine, { headers: { Range: "bytes=100-" } })).status).toBe(206);
  expect((await follow(mine)).status).toBe(200);
  expect(await usedOf(packageId)).toBe(1);
  expect((await follow(other)).status).toBe(200);
  expect(await usedOf(packageId)).toBe(2);
  expect(await refusalOf(late)).toEqual([403, [denied("limit_reached")]]);
  expect((await download(fileId, user.token)).status).toBe(403);
  const again = await Promise.all([mine, other].map((url) => follow(url, { headers: { Range: "bytes=500-" } })));
  expect(again.map(({ status, bytes }) => [status, bytes.length])).toEqual([
    [206, 500],
    [206, 500],
  ]);
  expect(await usedOf(packageId)).toBe(2);
});

it("counts a link once when all its parts are requested at the same instant", async () => {
  const user = await aUser();
  const { fileId, packageId } = await aPurchase(user.id, { downloadLimit: 1 });
  const url = await linkTo(fileId, user.token);
  const parts = Array.from({ length: 10 }, (_, i) =>
    follow(url, { headers: { Range: `bytes=${i * 100}-${i * 100 + 99}` } }),
  );
  expect((await Promise.all(parts)).map(({ status }) => status)).toEqual(Array(10).fill(206));
  expect(await usedOf(packageId)).toBe(1);
});

it("admits exactly 3 of 20 simultaneous links with 3 downloads left", async () => {
  const user = await aUser();
  const { fileId, packageId } = await aPurchase(user.id, { downloadLimit: 3 });
  const urls = [];
  for (let i = 0; i < 20; i++) urls.push(await linkTo(fileId, user.token));
  const answers = await Promise.all(urls.map((url) => follow(url)));
  const through = answers.filter(({ status }) => status === 200);
  const refused = answers.filter(({ status }) => status === 403);
  expect([through.length, refused.length]).toEqual([3, 17]);
  for (const { bytes } of through) expect(bytes).toHaveLength(1000);
  for (const { bytes } of refused) {
    expect(JSON.parse(new TextDecoder().decode(bytes)).details).toEqual([denied("limit_reached")]);
  }
  expect(await usedOf(packageId)).toBe(3);
});

it("charges the package for which the link was made, even if another is available now", async () => {
  const user = await aUser();
  const { fileId, packageId } = await aPurchase(user.id, { downloadLimit: 1 });
  const url = await linkTo(fileId, user.token);
  const endless = await aPackage(user.id, [fileId]);
  await follow(url);
  expect([await usedOf(packageId), await usedOf(endless.id)]).toEqual([1, 0]);
});

it("reads once, and writes once if there is something to count", async () => {
  const user = await aUser();
  const { fileId } = await aPurchase(user.id, {}, LONG_TEXT);
  const paid = await linkTo(fileId, user.token);
  const free = await linkTo((await anArchive(LONG_TEXT)).id, user.token);
  for (const [line, d1, r2] of [
    [`HEAD ${paid}`, 1, 0],
    [`GET ${paid}`, 2, 1],
    [`GET ${paid}`, 2, 1],
    [`GET ${free}`, 1, 1],
  ] as const) {
    const { bindings, trips } = counted();
    expect((await callWith(bindings, line)).status).toBe(200);
    expect(trips).toEqual({ d1, durableObjects: 1, r2 });
  }
});

describe("the link to a purchased file", () => {
  const aLink = async (content = bytesOf(1000)) => {
    const { id, token } = await aUser();
    const { fileId, packageId } = await aPurchase(id, { downloadLimit: 1 }, { content });
    return { url: await linkTo(fileId, token), packageId, token };
  };

  const SPENT = [403, [{ field: "token", code: "link_exhausted" }]];

  it("serves three times the file's size, and not one byte more", async () => {
    const { url } = await aLink();
    for (const _ of Array(3)) expect((await follow(url)).status).toBe(200);
    expect(await refusalOf(url)).toEqual(SPENT);
    expect((await follow(url, { headers: { Range: "bytes=0-0" } })).status).toBe(403);
    expect((await follow(url, { method: "HEAD" })).status).toBe(200);
  });

  it("serves no more to simultaneous requests", async () => {
    const { url } = await aLink();
    const answers = await Promise.all(Array.from({ length: 8 }, () => follow(url)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 403, 403, 403, 403, 403]);
  });

  it("counts the requested parts instead of the whole file", async () => {
    const { url } = await aLink();
    const half = { headers: { Range: "bytes=0-499" } };
    for (const _ of Array(6)) expect((await follow(url, half)).status).toBe(206);
    expect((await follow(url, half)).status).toBe(403);
  });

  it("returns the unused quota, so that a download may be interrupted any number of times", async () => {
    const { url, packageId } = await aLink(bytesOf(4_000_000));
    for (const _ of Array(8)) {
      const context = createExecutionContext();
      const answer = await app.fetch(requestTo(`GET ${url}`), env, context);
      expect(answer.status).toBe(200);
      await answer.body?.cancel();
      await waitOnExecutionContext(context);
    }
    const { bytesLeft } = (await db.select().from(downloads).where(eq(downloads.packageId, packageId)).get()) ?? {};
    expect(bytesLeft).toBeGreaterThan(0);
    expect((await follow(url)).status).toBe(200);
  });
});

describe("a link ends with the session in which it was made", () => {
  it.each(["package", "authenticated", "public"] as const)("for a file of access %s", async (access) => {
    const { email } = await anAccount();
    const session = async () =>
      (await call("POST /auth/login", { body: { email, password: PASSWORD } })).body.data as {
        token: string;
        user: { id: number };
      };
    const [one, other] = [await session(), await session()];
    const fileId =
      access === "package"
        ? (await aPurchase(one.user.id)).fileId
        : (await aFile({ access, mimeType: "application/zip" })).id;
    const links = [await linkTo(fileId, one.token), await linkTo(fileId, other.token)];
    expect((await call("POST /auth/logout", { as: one.token })).status).toBe(204);
    expect(await Promise.all(links.map(async (url) => (await follow(url)).status))).toEqual([403, 200]);
  });
});

it.each(["text/html", "image/svg+xml", "text/javascript", "application/xml", "text/css"])(
  "serves %s as generic bytes, which no browser runs",
  async (mimeType) => {
    const { id } = await aFile({ mimeType, content: "<script>alert(1)</script>".repeat(4000) });
    const { token } = await aUser();
    const { headers } = await follow(await linkTo(id, token));
    expect(headers.get("Content-Type")).toBe("application/octet-stream");
    expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
    expect((await call("GET /files?per_page=100", { as: token })).body.data[0].mime_type).toBe(mimeType);
  },
);

it.each([
  ["download", 200],
  ["panel", 403],
])("opens only if it was signed for a %s", async (audience, expected) => {
  const url = new URL(await linkTo((await anArchive()).id));
  const [secret = ""] = env.LINK_SECRET.split(",");
  const claims = decodeJwt(url.searchParams.get("token") ?? "");
  const token = await new SignJWT({ ...claims, aud: audience })
    .setProtectedHeader({ alg: "HS256" })
    .sign(new TextEncoder().encode(secret));
  url.searchParams.set("token", token);
  expect((await follow(url.href)).status).toBe(expected);
});
