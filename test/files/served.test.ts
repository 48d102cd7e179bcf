import { createExecutionContext, env, waitOnExecutionContext } from "cloudflare:test";
import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { app } from "../../src/app.ts";
import { downloads } from "../../src/platform/db/schema.ts";
import { anAccount, PASSWORD } from "../support/accounts.ts";
import { call, requestTo } from "../support/call.ts";
import { aPurchase, bytesOf, follow, linkTo, refusalOf } from "../support/links.ts";
import { aFile, aUser, db } from "../support/shop.ts";

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
