import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { auditLog, packages } from "../../src/platform/db/schema.ts";
import { administration, entriesOf } from "../support/administration.ts";
import { call } from "../support/call.ts";
import { brokenInvariants } from "../support/invariants.ts";
import { aPurchase, changePackage, download, follow, linkTo, refusalOf, usedOf } from "../support/links.ts";
import { denied, expectRefusal } from "../support/refusal.ts";
import { aFile, aKey, aPackage, aProduct, aUser, db, orderOf } from "../support/shop.ts";

const DAY = 24 * 60 * 60 * 1000;
const at = (ms: number) => new Date(Date.now() + ms).toISOString();

const { admin, ask } = administration();
let customer: Awaited<ReturnType<typeof aUser>>;

beforeEach(async () => {
  customer = await aUser({ wallet: 100_000 });
});

const grant = (fields: Record<string, unknown>) =>
  ask("POST /admin/packages", { user_id: customer.id, name: "A gift", ...fields });

const rowOf = (id: number) => db.select().from(packages).where(eq(packages.id, id)).get();

describe("granting a package", () => {
  it("lets its user download at once, and returns the whole record", async () => {
    const file = await aFile({ access: "package" });
    expect((await download(file.id, customer.token)).status).toBe(403);
    const { status, body } = await grant({ file_ids: [file.id, file.id], download_limit: 2 });
    expect(status).toBe(201);
    expect(body.data).toEqual({
      id: expect.any(Number),
      name: "A gift",
      user_id: customer.id,
      order_id: null,
      files: [{ id: file.id, name: file.name, file_name: file.fileName, size_bytes: file.sizeBytes }],
      status: "active",
      download_limit: 2,
      downloads_used: 0,
      downloads_remaining: 2,
      starts_at: expect.any(String),
      expires_at: null,
      revoked_at: null,
    });
    expect((await download(file.id, customer.token)).status).toBe(200);
    expect((await entriesOf(body.data.id))[0]).toMatchObject({
      actor: `user:${admin.id}`,
      action: "package.create",
      subject: "package",
      before: null,
      after: { user_id: customer.id, file_ids: [file.id], download_limit: 2 },
    });
  });

  it("accepts a limit, an expiry, both or neither", async () => {
    const file_ids = [(await aFile()).id];
    for (const fields of [
      {},
      { download_limit: 1 },
      { expires_at: at(DAY) },
      { download_limit: 1, expires_at: at(DAY) },
    ])
      expect((await grant({ file_ids, ...fields })).status).toBe(201);
    expect((await grant({ file_ids, download_limit: null, expires_at: null })).status).toBe(201);
  });

  it("does not start before its time", async () => {
    const file = await aFile({ access: "package" });
    await grant({ file_ids: [file.id], starts_at: at(DAY), expires_at: at(2 * DAY) });
    expect((await download(file.id, customer.token)).status).toBe(403);
  });

  it.each([
    ["user_id", { user_id: 999_999 }],
    ["user_id", { user_id: "1" }],
    ["name", { name: "" }],
    ["file_ids", { file_ids: [] }],
    ["file_ids.1", { file_ids: [1, 999_999] }],
    ["download_limit", { download_limit: 0 }],
    ["download_limit", { download_limit: 1.5 }],
    ["expires_at", { expires_at: "tomorrow" }],
    ["expires_at", { expires_at: at(-DAY) }],
    ["expires_at", { starts_at: at(2 * DAY), expires_at: at(DAY) }],
    ["surprise", { surprise: 1 }],
  ])("refuses a wrong %s, and leaves nothing behind: %j", async (field, fields) => {
    const { id } = await aFile();
    const before = [await db.$count(packages), await db.$count(auditLog)];
    expectRefusal(await grant({ file_ids: [id], ...fields }), 400, field);
    expect([await db.$count(packages), await db.$count(auditLog)]).toEqual(before);
  });

  it("keeps administrators out of reach of API keys", async () => {
    const { key } = await aKey({ permissions: ["read", "write"] });
    const file_ids = [(await aFile()).id];
    const body = { user_id: admin.id, name: "For me", file_ids };
    expectRefusal(await call("POST /admin/packages", { as: key, body }), 400, "user_id");
    const { id } = await aPackage(admin.id, file_ids);
    expect((await call(`GET /admin/packages/${id}`, { as: key })).status).toBe(404);
    expect((await call(`PUT /admin/packages/${id}`, { as: key, body: { name: "x" } })).status).toBe(404);
    expect((await call(`DELETE /admin/packages/${id}`, { as: key })).status).toBe(404);
    expect((await call(`GET /admin/packages?user_id=${admin.id}`, { as: key })).body.data).toEqual([]);
    expect((await ask(`GET /admin/packages?user_id=${admin.id}`)).body.data).toHaveLength(1);
  });
});

describe("the list of packages", () => {
  it("is newest first, and found by user, order and status", async () => {
    const product = await aProduct({ type: "digital", fileIds: [(await aFile({ access: "package" })).id] });
    const order = await call("POST /orders", { as: customer.token, body: orderOf(product) });
    const aUsed = async () => {
      const { fileId, packageId } = await aPurchase(customer.id, { downloadLimit: 1 });
      await follow(await linkTo(fileId, customer.token));
      return packageId;
    };
    const made = { expired: await aUsed(), exhausted: await aUsed(), revoked: await aUsed() };
    await changePackage(made.expired, { expiresAt: Date.now() - 1 });
    await changePackage(made.revoked, { expiresAt: Date.now() - 1, revokedAt: Date.now() });
    const found = async (query: string) => (await ask(`GET /admin/packages?user_id=${customer.id}${query}`)).body.data;
    expect(await found("")).toHaveLength(4);
    for (const [status, id] of Object.entries(made)) {
      expect(await found(`&status=${status}`)).toEqual([expect.objectContaining({ id, status })]);
    }
    const [bought] = await found("&status=active");
    expect(bought).toMatchObject({ order_id: order.body.data.id, status: "active" });
    expect(await found(`&order_id=${bought.order_id}`)).toEqual([bought]);
    expectRefusal(await ask("GET /admin/packages?status=all"), 400, "status");
  });
});

describe("changing a package", () => {
  it("extends it: a user without downloads left has some again", async () => {
    const { fileId, packageId } = await aPurchase(customer.id, { downloadLimit: 1 });
    await follow(await linkTo(fileId, customer.token));
    expect((await download(fileId, customer.token)).status).toBe(403);
    const { status, body } = await ask(`PUT /admin/packages/${packageId}`, { download_limit: 2 });
    expect([status, body.data.downloads_remaining]).toEqual([200, 1]);
    expect((await download(fileId, customer.token)).status).toBe(200);
    expect((await entriesOf(packageId))[0]).toMatchObject({
      action: "package.update",
      before: { download_limit: 1 },
      after: { download_limit: 2 },
    });
  });

  it("changes only the fields that are sent", async () => {
    const { packageId } = await aPurchase(customer.id, { downloadLimit: 3 });
    const before = await rowOf(packageId);
    await ask(`PUT /admin/packages/${packageId}`, { expires_at: at(DAY) });
    expect(await rowOf(packageId)).toEqual({ ...before, expiresAt: expect.any(Number), updatedAt: expect.any(Number) });
    await ask(`PUT /admin/packages/${packageId}`, { expires_at: null, download_limit: null });
    expect(await rowOf(packageId)).toMatchObject({ expiresAt: null, downloadLimit: null });
  });

  it("replaces its files", async () => {
    const { fileId, packageId } = await aPurchase(customer.id);
    const other = await aFile({ access: "package" });
    const { body } = await ask(`PUT /admin/packages/${packageId}`, { file_ids: [other.id] });
    expect(body.data.files).toMatchObject([{ id: other.id, name: other.name }]);
    expect((await download(fileId, customer.token)).status).toBe(403);
    expect((await download(other.id, customer.token)).status).toBe(200);
    expectRefusal(await ask(`PUT /admin/packages/${packageId}`, { file_ids: [999_999] }), 400, "file_ids.0");
  });

  it("does not undo downloads that were used", async () => {
    const { fileId, packageId } = await aPurchase(customer.id, { downloadLimit: 5 });
    for (let n = 0; n < 2; n++) await follow(await linkTo(fileId, customer.token));
    expectRefusal(
      await ask(`PUT /admin/packages/${packageId}`, { download_limit: 1 }),
      400,
      "download_limit",
      "below_use",
    );
    expect((await ask(`PUT /admin/packages/${packageId}`, { download_limit: 2 })).body.data.status).toBe("exhausted");
  });

  it("never allows more downloads than the limit, also if it is lowered while links are opened", async () => {
    const { fileId, packageId } = await aPurchase(customer.id, { downloadLimit: 10 });
    const links = await Promise.all(Array.from({ length: 6 }, () => linkTo(fileId, customer.token)));
    await Promise.all([
      ...links.map((link) => follow(link)),
      ...[3, 4, 5].map((download_limit) => ask(`PUT /admin/packages/${packageId}`, { download_limit })),
    ]);
    const row = await rowOf(packageId);
    expect(await usedOf(packageId)).toBeLessThanOrEqual(row?.downloadLimit ?? 0);
    expect(await brokenInvariants()).toEqual({});
  });

  it("refuses an expiry before its start, and a body that changes nothing", async () => {
    const { packageId } = await aPurchase(customer.id);
    expectRefusal(await ask(`PUT /admin/packages/${packageId}`, { expires_at: at(-DAY) }), 400, "expires_at");
    expectRefusal(await ask(`PUT /admin/packages/${packageId}`, {}), 400, "body");
  });

  it("does not treat a download as an edit", async () => {
    const { fileId, packageId } = await aPurchase(customer.id, { downloadLimit: 5 });
    const headers = { "If-Match": String((await ask(`GET /admin/packages/${packageId}`)).headers.get("ETag")) };
    await follow(await linkTo(fileId, customer.token));
    expect((await ask(`PUT /admin/packages/${packageId}`, { name: "First" }, headers)).status).toBe(200);
  });
});

describe("revoking a package", () => {
  it("affects the very next use of a link, and keeps the row", async () => {
    const { fileId, packageId } = await aPurchase(customer.id);
    const link = await linkTo(fileId, customer.token);
    expect((await follow(link)).status).toBe(200);
    expect((await ask(`DELETE /admin/packages/${packageId}`)).status).toBe(204);
    expect(await refusalOf(link)).toEqual([403, [denied("revoked")]]);
    expect((await download(fileId, customer.token)).body.details).toEqual([denied("revoked")]);
    const { body } = await ask(`GET /admin/packages/${packageId}`);
    expect(body.data).toMatchObject({ status: "revoked", revoked_at: expect.any(String) });
    expect((await entriesOf(packageId))[0]).toMatchObject({
      action: "package.revoke",
      before: { revoked_at: null },
      after: { revoked_at: expect.any(String) },
    });
  });

  it("is done once, however often it is requested, and is final", async () => {
    const { packageId } = await aPurchase(customer.id);
    await ask(`DELETE /admin/packages/${packageId}`);
    const first = await rowOf(packageId);
    expect((await ask(`DELETE /admin/packages/${packageId}`)).status).toBe(204);
    expect(await rowOf(packageId)).toEqual(first);
    expect(await entriesOf(packageId)).toHaveLength(1);
    expect((await ask(`PUT /admin/packages/${packageId}`, { expires_at: at(DAY) })).status).toBe(409);
  });

  it("still applies when a unit of the line item is refunded", async () => {
    const product = await aProduct({ type: "digital", fileIds: [(await aFile({ access: "package" })).id] });
    const { body: order } = await call("POST /orders", { as: customer.token, body: orderOf(product, 3) });
    const { body } = await ask(`GET /admin/packages?order_id=${order.data.id}`);
    const [{ id: packageId }] = body.data;
    await ask(`DELETE /admin/packages/${packageId}`);
    const { revokedAt } = (await rowOf(packageId)) ?? {};
    expect(await brokenInvariants()).toEqual({});
    const refund = { items: [{ id: order.data.items[0].id, quantity: 1 }] };
    expect((await ask(`POST /admin/orders/${order.data.id}/refunds`, refund)).status).toBe(200);
    expect(await rowOf(packageId)).toMatchObject({ units: 2, revokedAt });
    expect(await brokenInvariants()).toEqual({});
  });

  it("is attributed to the rules if nobody did it", async () => {
    const product = await aProduct({ type: "digital", fileIds: [(await aFile({ access: "package" })).id] });
    const { body: order } = await call("POST /orders", { as: customer.token, body: orderOf(product) });
    const { body } = await ask(`GET /admin/packages?order_id=${order.data.id}`);
    await changePackage(body.data[0].id, { revokedAt: Date.now() });
    expect(Object.keys(await brokenInvariants())).toHaveLength(1);
    await changePackage(body.data[0].id, { revokedAt: null });
    expect(await brokenInvariants()).toEqual({});
  });
});
