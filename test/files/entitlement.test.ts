import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { SignJWT } from "jose";
import { beforeEach, describe, expect, it } from "vitest";
import { type DownloadLink, signLink } from "../../src/downloads/files/delivery/downloads.ts";
import * as tables from "../../src/platform/db/schema.ts";
import { call, callWith } from "../support/call.ts";
import {
  anArchive,
  aPurchase,
  changeFile,
  changePackage,
  follow,
  LONG_TEXT,
  linkTo,
  refusalOf,
  usedOf,
} from "../support/links.ts";
import { denied } from "../support/refusal.ts";
import { aKey, aUser, db, settings } from "../support/shop.ts";

const NOT_VALID = [403, [{ field: "token", code: "invalid_link" }]];

let user: Awaited<ReturnType<typeof aUser>>;
let bought: Awaited<ReturnType<typeof aPurchase>>;
let url: string;

beforeEach(async () => {
  user = await aUser();
  bought = await aPurchase(user.id, {}, LONG_TEXT);
  url = await linkTo(bought.fileId, user.token);
});

const linkOf = (columns: Partial<DownloadLink> = {}): DownloadLink => ({
  id: crypto.randomUUID(),
  holder: `user:${user.id}`,
  sessionId: user.sessionId,
  version: 1,
  ...bought,
  ...columns,
});

const urlOf = (token: string) => `${url.split("?")[0]}?token=${token}`;
const tokenOf = (address: string) => new URL(address).searchParams.get("token") ?? "";
const inAMinute = () => Date.now() + 60_000;

describe("a link", () => {
  it("opens with the credential for which it was made, and with none, as in a browser", async () => {
    expect((await follow(url, { as: user.token })).status).toBe(200);
    expect((await follow(url)).status).toBe(200);
  });

  it("does not open with anyone else's credential", async () => {
    for (const as of [(await aUser()).token, (await aKey()).key, (await aUser({ role: "admin" })).token]) {
      expect(await refusalOf(url, { as })).toEqual([403, [{ field: "token", code: "link_not_yours" }]]);
    }
    expect((await follow(url, { as: "nonsense" })).status).toBe(401);
    expect(await usedOf(bought.packageId)).toBe(0);
  });

  it("does not open if any part of its token was changed", async () => {
    const token = tokenOf(url);
    const parts = token.split(".");
    const forged = parts.map((part, i) => {
      const other = part[5] === "A" ? "B" : "A";
      return parts.with(i, part.slice(0, 5) + other + part.slice(6)).join(".");
    });
    for (const each of [...forged, `${token}A`, token.slice(0, -4), parts.slice(0, 2).join("."), "x"]) {
      expect(await refusalOf(urlOf(each))).toEqual(NOT_VALID);
    }
  });

  it("does not open after it has expired", async () => {
    const token = await signLink(settings.linkSecrets, linkOf(), Date.now() - 1000);
    expect(await refusalOf(urlOf(token))).toEqual(NOT_VALID);
    const running = await signLink(settings.linkSecrets, linkOf(), inAMinute());
    expect((await follow(urlOf(running))).status).toBe(200);
  });

  it("opens under the older of two secrets, but not once that secret is removed", async () => {
    const newer = "n3w-S3cret-0123456789-abcdefghijklmnop";
    const line = `GET ${url}`;
    expect((await callWith({ LINK_SECRET: `${newer},${env.LINK_SECRET}` }, line)).status).toBe(200);
    expect((await callWith({ LINK_SECRET: newer }, line)).status).toBe(403);
    const made = await callWith(
      { LINK_SECRET: `${newer},${env.LINK_SECRET}` },
      `GET /download-file?file_id=${bought.fileId}`,
      {
        as: user.token,
      },
    );
    expect((await callWith({ LINK_SECRET: newer }, `GET ${made.body.data.url}`)).status).toBe(200);
  });

  it.each([
    ["made for something else", (jwt: SignJWT) => jwt.setAudience("storefront").setExpirationTime("1m")],
    ["that never ends", (jwt: SignJWT) => jwt.setAudience("download")],
  ])("is not a token %s, although the same secret signed it", async (_, finish) => {
    const jwt = new SignJWT({ file: bought.fileId, package: bought.packageId })
      .setProtectedHeader({ alg: "HS256" })
      .setSubject(`user:${user.id}`)
      .setJti(crypto.randomUUID());
    const token = await finish(jwt).sign(new TextEncoder().encode(settings.linkSecrets[0]));
    expect(await refusalOf(urlOf(token))).toEqual(NOT_VALID);
  });

  it("is not a credential, and a credential is not a link", async () => {
    expect((await call("GET /account/profile", { as: tokenOf(url) })).status).toBe(401);
    expect(await refusalOf(urlOf(user.token))).toEqual(NOT_VALID);
  });

  it("requires its token", async () => {
    for (const query of ["", "?token=", `?token=${"x".repeat(2001)}`]) {
      const { status, body } = await call(`GET /downloads${query}`);
      expect([status, Object.keys(body.errors)]).toEqual([400, ["token"]]);
    }
  });
});

describe("access is checked again when the link is opened", () => {
  it.each([
    ["expired", { expiresAt: Date.now() - 1 }],
    ["revoked", { revokedAt: Date.now() - 1 }],
    ["limit_reached", { downloadLimit: 4, downloadsUsed: 4 }],
  ])("a package that is %s meanwhile", async (reason, columns) => {
    await changePackage(bought.packageId, columns);
    for (const method of ["GET", "HEAD"]) expect((await follow(url, { method })).status).toBe(403);
    expect(await refusalOf(url)).toEqual([403, [denied(reason)]]);
  });

  it("a package that ends between two parts", async () => {
    const headers = { Range: "bytes=0-9" };
    expect((await follow(url, { headers })).status).toBe(206);
    await changePackage(bought.packageId, { revokedAt: Date.now() });
    expect(await refusalOf(url, { headers })).toEqual([403, [denied("revoked")]]);
  });

  it("a file that was removed from the package", async () => {
    await db.delete(tables.packageFiles).where(eq(tables.packageFiles.fileId, bought.fileId));
    expect((await follow(url)).status).toBe(403);
  });

  it("a file that is no longer published, public or not", async () => {
    const open = await anArchive();
    for (const [id, address] of [
      [bought.fileId, url],
      [open.id, await linkTo(open.id)],
    ] as const) {
      await changeFile(id, { publishedAt: null });
      expect([403, 404]).toContain((await follow(address)).status);
    }
    expect(await usedOf(bought.packageId)).toBe(0);
  });

  it("a user who was disabled", async () => {
    await db.update(tables.users).set({ disabledAt: Date.now() }).where(eq(tables.users.id, user.id));
    expect((await follow(url)).status).toBe(403);
  });

  it.each([
    ["revoked", { revokedAt: Date.now() }],
    ["expired", { expiresAt: Date.now() - 1 }],
    ["no longer allowed to read files", { permissions: ["products:read"] }],
  ])("an API key that is %s", async (_, columns) => {
    const key = await aKey();
    const address = await linkTo((await anArchive({ access: "authenticated" })).id, key.key);
    expect((await follow(address)).status).toBe(200);
    await db.update(tables.apiKeys).set(columns).where(eq(tables.apiKeys.id, key.id));
    expect((await follow(address)).status).toBe(403);
  });

  it.each(["authenticated", "package"] as const)("a public file that is now for %s callers", async (access) => {
    const file = await anArchive();
    const address = await linkTo(file.id);
    await changeFile(file.id, { access });
    expect((await follow(address)).status).toBe(403);
  });

  it("a file that became free opens whatever happened to the package, and is not counted", async () => {
    await changeFile(bought.fileId, { access: "public" });
    expect((await follow(url)).status).toBe(200);
    expect(await usedOf(bought.packageId)).toBe(0);
    await changePackage(bought.packageId, { revokedAt: Date.now() });
    expect((await follow(url)).status).toBe(200);
  });
});
