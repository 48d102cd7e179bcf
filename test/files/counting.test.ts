import { expect, it } from "vitest";
import { callWith } from "../support/call.ts";
import { counted } from "../support/counting.ts";
import { anArchive, aPurchase, download, follow, LONG_TEXT, linkTo, refusalOf, usedOf } from "../support/links.ts";
import { denied } from "../support/refusal.ts";
import { aPackage, aUser } from "../support/shop.ts";

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
