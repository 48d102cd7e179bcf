import { eq } from "drizzle-orm";
import { expect, it } from "vitest";
import * as tables from "../../src/platform/db/schema.ts";
import { call, callWith } from "../support/call.ts";
import { counted } from "../support/counting.ts";
import { brokenInvariants } from "../support/invariants.ts";
import { aFile, aPackage, aProduct, aUser, db, onPurpose, orderOf } from "../support/shop.ts";

const FILES = 10;

it("writes a row for each file of a line item, whatever its quantity", async () => {
  const files = await Promise.all(Array.from({ length: FILES }, () => aFile({ access: "package" })));
  const fileIds = files.map(({ id }) => id);
  const product = await aProduct({ price: 0, type: "digital", stock: null, fileIds, downloadLimit: 2 });
  const user = await aUser();
  const { body } = await call("POST /orders", { as: user.token, body: orderOf(product, 100) });
  const { data } = (await call("GET /account/packages", { as: user.token })).body;
  expect(data).toMatchObject([{ order_id: body.data.id, download_limit: 200, downloads_remaining: 200 }]);
  const held = await db.select().from(tables.packageFiles).where(eq(tables.packageFiles.userId, user.id));
  expect(held).toHaveLength(FILES);
  expect(await brokenInvariants()).toEqual({});
});

it("reads no more rows for a buyer with many orders than for one with a few", async () => {
  const file = await aFile({ access: "package" });
  const product = await aProduct({ price: 0, type: "digital", stock: null, fileIds: [file.id] });
  const user = await aUser();
  const buy = async (times: number) => {
    for (let n = 0; n < times; n++)
      await call("POST /orders", { as: user.token, body: orderOf(product), headers: onPurpose() });
  };
  const rowsRead = async (line: string) => {
    const { bindings, work } = counted();
    expect((await callWith(bindings, line, { as: user.token })).status).toBe(200);
    return work.rowsRead;
  };
  const lines = ["GET /files", `GET /download-file?file_id=${file.id}`];
  await buy(3);
  const before = await Promise.all(lines.map(rowsRead));
  await buy(40);
  expect(await Promise.all(lines.map(rowsRead))).toEqual(before);
});

it("finds the only usable package among many that are not", async () => {
  const [file, user] = [await aFile({ access: "package" }), await aUser()];
  const past = Date.now() - 1000;
  for (let n = 0; n < 30; n++) await aPackage(user.id, [file.id], { expiresAt: past - n, startsAt: past - 1000 });
  for (let n = 0; n < 30; n++) await aPackage(user.id, [file.id], { downloadLimit: 1, downloadsUsed: 1 });
  for (let n = 0; n < 30; n++) await aPackage(user.id, [file.id], { revokedAt: past });
  const shown = async () => {
    const { data } = (await call("GET /files?per_page=100", { as: user.token })).body;
    return data.find(({ id }: { id: number }) => id === file.id);
  };
  expect(await shown()).toMatchObject({ can_download: false, denied_reason: "limit_reached" });
  const usable = await aPackage(user.id, [file.id], { downloadLimit: 5 });
  expect(await shown()).toMatchObject({ can_download: true, denied_reason: null });
  await db.update(tables.packages).set({ downloadsUsed: 5 }).where(eq(tables.packages.id, usable.id));
  expect(await shown()).toMatchObject({ can_download: false, denied_reason: "limit_reached" });
  // The package counts downloads that never took place.
  expect(Object.keys(await brokenInvariants())).toEqual(["a package was not used more often than it allows"]);
});
