import { describe, expect, it } from "vitest";
import { checkAccess } from "../../src/downloads/files/access.ts";
import type { HeldPackage } from "../../src/downloads/packages/schemas.ts";
import type { Caller } from "../../src/platform/auth/caller.ts";
import { call, callWith } from "../support/call.ts";
import { counted } from "../support/counting.ts";
import { download } from "../support/links.ts";
import { denied } from "../support/refusal.ts";
import { aFile, aKey, aPackage, aProduct, aUser } from "../support/shop.ts";

const HOUR = 3_600_000;

const list = async (as?: string) => {
  const { status, body } = await call("GET /files?per_page=100", { as });
  expect(status).toBe(200);
  return body.data as { id: number; can_download: boolean; denied_reason: string | null }[];
};

const verdicts = async (files: { id: number }[], as?: string) => {
  const listed = new Map((await list(as)).map((file) => [file.id, file]));
  return files.map(({ id }) => {
    const file = listed.get(id);
    return file ? (file.denied_reason ?? file.can_download) : "not listed";
  });
};

describe("the list", () => {
  it("contains complete records, newest first", async () => {
    const older = await aFile({ createdAt: 1_700_000_000_000 });
    const file = await aFile({ description: "A leaflet", content: "héllo", version: 3, createdAt: 1_700_000_000_001 });
    const sold = await aProduct({ fileIds: [file.id] });
    const files = await list((await aUser()).token);
    const index = files.findIndex(({ id }) => id === file.id);
    expect(files[index + 1]?.id).toBe(older.id);
    expect(files[index]).toStrictEqual({
      id: file.id,
      name: file.name,
      description: "A leaflet",
      file_name: file.fileName,
      mime_type: "text/plain",
      size_bytes: 6,
      sha256: file.sha256,
      version: 3,
      access: "public",
      product_ids: [sold.id],
      can_download: true,
      denied_reason: null,
      created_at: "2023-11-14T22:13:20.001Z",
      updated_at: new Date(file.updatedAt).toISOString(),
    });
  });

  it("shows each caller which files they may have", async () => {
    const files = [await aFile(), await aFile({ access: "authenticated" }), await aFile({ access: "package" })];
    const user = await aUser();
    expect(await verdicts(files)).toEqual([true, "not listed", "not listed"]);
    expect(await verdicts(files, (await aKey()).key)).toEqual([true, true, "login_required"]);
    expect(await verdicts(files, user.token)).toEqual([true, true, "no_package"]);
    await aPackage(user.id, [files[2]?.id ?? 0]);
    expect(await verdicts(files, user.token)).toEqual([true, true, true]);
    expect(await verdicts(files, (await aUser()).token)).toEqual([true, true, "no_package"]);
  });

  it.each([
    ["no_package", null],
    ["expired", { expiresAt: Date.now() - HOUR }],
    ["limit_reached", { downloadLimit: 2, downloadsUsed: 2 }],
    ["revoked", { revokedAt: Date.now() - HOUR }],
    [true, { downloadLimit: 2, downloadsUsed: 1, expiresAt: Date.now() + HOUR }],
  ] as const)("says %s of a file as download-file does", async (verdict, columns) => {
    const user = await aUser();
    const file = await aFile({ access: "package" });
    if (columns) await aPackage(user.id, [file.id], columns);
    expect(await verdicts([file], user.token)).toEqual([verdict]);
    const { status, body } = await download(file.id, user.token);
    if (verdict === true) expect(status).toBe(200);
    else expect([status, body.details]).toEqual([403, [denied(verdict)]]);
  });

  it("promises no download on a package that has not started", async () => {
    const user = await aUser();
    const file = await aFile({ access: "package" });
    await aPackage(user.id, [file.id], { startsAt: Date.now() + HOUR });
    expect((await download(file.id, user.token)).status).toBe(403);
    expect((await list(user.token)).find(({ id }) => id === file.id)?.can_download).toBe(false);
  });

  it("hides unpublished files from everybody", async () => {
    const files = [await aFile({ publishedAt: null }), await aFile({ access: "package", publishedAt: null })];
    const user = await aUser();
    await aPackage(
      user.id,
      files.map(({ id }) => id),
    );
    for (const as of [undefined, user.token, (await aKey()).key, (await aUser({ role: "admin" })).token]) {
      expect(await verdicts(files, as)).toEqual(["not listed", "not listed"]);
      for (const { id } of files) expect((await download(id, as)).status).toBe(as ? 404 : 401);
    }
  });

  it("counts callers without a credential by address", async () => {
    const { headers } = await call("GET /files");
    expect(headers.get("RateLimit-Policy")).toBe('"anonymous";q=100;w=60');
  });

  it("is read in one round trip, and has pages like every list", async () => {
    const { bindings, trips } = counted();
    const { body, headers } = await callWith(bindings, "GET /files?per_page=1&page=9999", {
      as: (await aUser()).token,
    });
    expect(trips).toEqual({ d1: 1, durableObjects: 2, r2: 0 });
    expect(body.data).toEqual([]);
    expect(body.pagination.total_pages).toBe(body.pagination.total_items);
    expect(headers.get("Link")).toContain('rel="prev"');
  });
});

const NOW = 1_000_000;
const held = (id: number, columns: Partial<HeldPackage> = {}): HeldPackage => ({
  id,
  downloadLimit: null,
  downloadsUsed: 0,
  expiresAt: null,
  revokedAt: null,
  ...columns,
});

const user: Caller = { kind: "user", id: 1, role: "customer", sessionId: "s", authenticatedAt: 0, hasTwoFactor: false };
const key: Caller = {
  kind: "api_key",
  id: 1,
  permissions: ["read"],
  tier: "standard",
  test: false,
  isPublic: false,
  isApp: false,
  createdAt: 0,
};
const anonymous: Caller = { kind: "anonymous" };

describe("access to a file", () => {
  it.each([
    ["public", anonymous, true],
    ["public", key, true],
    ["public", user, true],
    ["authenticated", anonymous, "login_required"],
    ["authenticated", key, true],
    ["authenticated", user, true],
    ["package", anonymous, "login_required"],
    ["package", key, "login_required"],
    ["package", user, "no_package"],
  ] as const)("of a %s file and %o without a package is %s", (access, caller, verdict) => {
    expect(checkAccess(access, caller, [], NOW)).toEqual(
      verdict === true ? { allowed: true, package: null } : { allowed: false, reason: verdict },
    );
  });

  const limited = { downloadLimit: 3, downloadsUsed: 2 };
  const used = { downloadLimit: 3, downloadsUsed: 3 };
  const past = { expiresAt: NOW };
  const revoked = { revokedAt: 1 };

  it.each<[string, HeldPackage[], number | string]>([
    ["the only one", [held(1)], 1],
    ["one that lapses in the next millisecond", [held(1, { expiresAt: NOW + 1 })], 1],
    ["one with a download left", [held(1, limited)], 1],
    ["one without a limit before one with", [held(1, limited), held(2, past), held(3)], 3],
    ["one without a limit, though it lapses sooner", [held(1, limited), held(2, { expiresAt: NOW + 1 })], 2],
    ["of limited ones the first to lapse", [held(1, limited), held(2, { ...limited, expiresAt: NOW + 9 })], 2],
    [
      "of limited ones the first to lapse, in any order",
      [held(1, { ...limited, expiresAt: NOW + 5 }), held(2, { ...limited, expiresAt: NOW + 9 })],
      1,
    ],
    ["of equal ones the oldest", [held(7, limited), held(4, limited)], 4],
    ["a live one among ended ones", [held(1, past), held(2, used), held(3, revoked), held(4, limited)], 4],
    ["none that has expired", [held(1, past)], "expired"],
    ["none that is used up", [held(1, used)], "limit_reached"],
    ["none that was revoked, whatever else", [held(1, { ...revoked, ...past, ...used })], "revoked"],
    ["none that has expired and is used up", [held(1, { ...past, ...used })], "expired"],
    ["none: a limit can be raised first", [held(1, revoked), held(2, past), held(3, used)], "limit_reached"],
    ["none: an expired one can be bought again", [held(1, revoked), held(2, past)], "expired"],
  ])("accepts %s", (_, packages, outcome) => {
    const access = checkAccess("package", user, packages, NOW);
    expect(access.allowed ? access.package?.id : access.reason).toBe(outcome);
  });

  it("uses no package where none is needed", () => {
    for (const access of ["public", "authenticated"] as const) {
      expect(checkAccess(access, user, [held(1)], NOW)).toEqual({ allowed: true, package: null });
    }
  });
});
