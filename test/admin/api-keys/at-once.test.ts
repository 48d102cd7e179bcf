import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { afterEach, describe, expect, it, vi } from "vitest";
import { apiKeys } from "../../../src/platform/db/schema.ts";
import { administration, entriesOf } from "../../support/administration.ts";
import { type Answer, call, callWith } from "../../support/call.ts";
import { failing, fault } from "../../support/faults.ts";
import { aRefusal, expectRefusal } from "../../support/refusal.ts";
import { aFile, aKey, db } from "../../support/shop.ts";
import { watched } from "../../support/watched.ts";

const MINUTE = 60_000;

const { admin, ask } = administration();

afterEach(() => {
  vi.useRealTimers();
});

const rowOf = (id: number) => db.select().from(apiKeys).where(eq(apiKeys.id, id)).get();

const shop = (key: string, line = "GET /products") => call(line, { as: key });
const statuses = (answers: Answer[]) => [...new Set(answers.map(({ status }) => status))];

/** A key that was just used, so that its limiter has it in memory. */
async function aUsedKey(columns?: Parameters<typeof aKey>[0]) {
  const key = await aKey(columns);
  expect((await shop(key.key)).status).toBe(200);
  return key;
}

describe("the very next request sees", () => {
  it("a permission that was removed, and one that was added", async () => {
    const { id, key } = await aUsedKey({ permissions: ["products:read"] });
    expect((await shop(key, "GET /account/orders")).status).toBe(403);
    await ask(`PUT /admin/api-keys/${id}`, { permissions: ["orders:read"] });
    expect((await shop(key, "GET /account/orders")).status).toBe(200);
    expect((await shop(key)).status).toBe(403);
  });

  it("a tier", async () => {
    const { id, key } = await aUsedKey();
    await ask(`PUT /admin/api-keys/${id}`, { tier: "premium" });
    expect((await shop(key)).headers.get("X-RateLimit-Remaining")).toBe("998");
  });

  it("an expiry, from that time on", async () => {
    const { id, key } = await aUsedKey();
    const expiresAt = Date.now() + 10 * MINUTE;
    await ask(`PUT /admin/api-keys/${id}`, { expires_at: new Date(expiresAt).toISOString() });
    vi.useFakeTimers({ toFake: ["Date"], now: expiresAt - 1 });
    expect((await shop(key)).status).toBe(200);
    vi.setSystemTime(expiresAt);
    expect((await shop(key)).body.message).toContain("expired");
    const { body } = await ask(`GET /admin/api-keys/${id}`);
    expect(body.data.state).toBe("expired");
  });

  it("that the key was revoked; the row remains, and revoking again changes nothing", async () => {
    const { id, key } = await aUsedKey();
    expect((await ask(`DELETE /admin/api-keys/${id}`)).status).toBe(204);
    expect((await shop(key)).status).toBe(401);
    const { body } = await ask(`GET /admin/api-keys/${id}`);
    expect(body.data).toMatchObject({ state: "revoked", revoked_at: expect.any(String) });
    expect((await ask(`DELETE /admin/api-keys/${id}`)).status).toBe(204);
    expect((await rowOf(id))?.revokedAt).toBe(Date.parse(body.data.revoked_at));
    expect(await entriesOf(id)).toMatchObject([
      {
        actor: `user:${admin.id}`,
        action: "api_key.revoke",
        before: { revoked_at: null },
        after: { revoked_at: body.data.revoked_at },
      },
    ]);
  });

  it("a rotation, also on a download link made for the key before it was revoked", async () => {
    const file = await aFile({ content: "long ".repeat(20_000), access: "authenticated" });
    const { id, key } = await aUsedKey();
    const { body } = await shop(key, `GET /download-file?file_id=${file.id}`);
    const rotated = await ask(`POST /admin/api-keys/${id}/rotate`, {});
    expect((await shop(key)).status).toBe(401);
    expect((await call(`GET ${body.data.url}`)).status).toBe(200);
    expect((await shop(rotated.body.data.key)).status).toBe(200);
    await ask(`DELETE /admin/api-keys/${id}`);
    expect((await call(`GET ${body.data.url}`)).status).toBeGreaterThanOrEqual(400);
  });
});

describe("a rotation", () => {
  const rotate = (id: number, body: unknown = {}) => ask(`POST /admin/api-keys/${id}/rotate`, body);

  it("returns a new value under the same name, once, and logs no secret", async () => {
    const { id, key, start, hash } = await aUsedKey();
    const { status, body } = await rotate(id);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ id, start, previous_expires_at: null });
    expect(body.data.key.slice(0, 12)).toBe(start);
    expect(body.data.key).not.toBe(key);
    const [entry] = await entriesOf(id);
    expect(entry).toMatchObject({ action: "api_key.rotate", after: { previous_expires_at: null } });
    const logged = JSON.stringify(entry);
    for (const secret of [hash, String((await rowOf(id))?.hash), body.data.key, key]) {
      expect(logged).not.toContain(secret);
    }
  });

  it("keeps the old value valid until the grace period ends", async () => {
    const { id, key } = await aUsedKey();
    const { body } = await rotate(id, { grace_seconds: 3_600 });
    const ends = Date.parse(body.data.previous_expires_at);
    expect((await entriesOf(id))[0]?.after).toEqual({ previous_expires_at: body.data.previous_expires_at });
    expect(statuses([await shop(key), await shop(body.data.key)])).toEqual([200]);
    vi.useFakeTimers({ toFake: ["Date"], now: ends - 1 });
    expect((await shop(key)).status).toBe(200);
    vi.setSystemTime(ends);
    expect((await shop(key)).status).toBe(401);
    expect((await shop(body.data.key)).status).toBe(200);
    vi.useRealTimers();
  });

  it("during a grace period ends the older value at once", async () => {
    const { id, key: first } = await aUsedKey();
    const second = (await rotate(id, { grace_seconds: 3_600 })).body.data.key;
    const third = (await rotate(id, { grace_seconds: 3_600 })).body.data.key;
    const answers = [await shop(first), await shop(second), await shop(third)];
    expect(answers.map(({ status }) => status)).toEqual([401, 200, 200]);
    const fourth = (await rotate(id)).body.data.key;
    const later = [await shop(second), await shop(third), await shop(fourth)];
    expect(later.map(({ status }) => status)).toEqual([401, 401, 200]);
  });

  it.each([
    ["negative", { grace_seconds: -1 }],
    ["longer than seven days", { grace_seconds: 604_801 }],
    ["of half a second", { grace_seconds: 0.5 }],
    ["in words", { grace_seconds: "60" }],
  ])("refuses a grace period that is %s", async (_, body) => {
    const { id, hash } = await aKey();
    expectRefusal(await rotate(id, body), 400, "grace_seconds");
    expect((await rowOf(id))?.hash).toBe(hash);
    expect(await entriesOf(id)).toEqual([]);
  });

  it("accepts a grace period of seven days, and a request without a body", async () => {
    const { id } = await aKey();
    expect((await rotate(id, { grace_seconds: 604_800 })).status).toBe(200);
    expect((await call(`POST /admin/api-keys/${id}/rotate`, { as: admin.token })).status).toBe(200);
  });

  it("is refused for an expired key, whose new value would not work", async () => {
    const { id, hash } = await aKey({ expiresAt: Date.now() - 1 });
    const refused = await rotate(id);
    expect([refused.status, refused.body]).toEqual([409, aRefusal("api_key_not_active")]);
    expect((await rowOf(id))?.hash).toBe(hash);
  });
});

it("refuses to edit or rotate a revoked key, and leaves it unchanged", async () => {
  const { key: _, ...before } = await aKey({ revokedAt: Date.now() });
  expectRefusal(await ask(`PUT /admin/api-keys/${before.id}`, { name: "Back" }), 409);
  expectRefusal(await ask(`POST /admin/api-keys/${before.id}/rotate`, {}), 409);
  expect(await rowOf(before.id)).toEqual(before);
  expect(await entriesOf(before.id)).toEqual([]);
});

describe("at the same moment", () => {
  it("requests during a revocation are answered or refused, and none succeeds after it", async () => {
    const { id, key } = await aUsedKey();
    const [revoked, ...underWay] = await Promise.all([
      ask(`DELETE /admin/api-keys/${id}`),
      ...Array.from({ length: 40 }, () => shop(key)),
    ]);
    expect(revoked.status).toBe(204);
    for (const { status } of underWay) expect([200, 401]).toContain(status);
    expect(statuses(await Promise.all(Array.from({ length: 10 }, () => shop(key))))).toEqual([401]);
  });

  it("the next request is refused, however often the key is used until the revocation is answered", async () => {
    const { id, key } = await aUsedKey();
    let done = false;
    const use = async () => {
      while (!done) await shop(key);
    };
    const users = [use(), use(), use()];
    await ask(`DELETE /admin/api-keys/${id}`);
    const next = await shop(key);
    done = true;
    await Promise.all(users);
    expect(next.status).toBe(401);
  });

  it("a key that is revoked many times at once is revoked once, and every caller learns that it is revoked", async () => {
    const { id } = await aKey();
    const answers = await Promise.all(Array.from({ length: 8 }, () => ask(`DELETE /admin/api-keys/${id}`)));
    expect(statuses(answers)).toEqual([204]);
    expect(await entriesOf(id)).toHaveLength(1);
  });

  it("a revocation wins over edits and rotations, whichever comes first", async () => {
    const { id, key } = await aUsedKey();
    const others = Array.from({ length: 6 }, (_, n) =>
      n % 2 ? ask(`PUT /admin/api-keys/${id}`, { name: `Edit ${n}` }) : ask(`POST /admin/api-keys/${id}/rotate`, {}),
    );
    const revoked = await ask(`DELETE /admin/api-keys/${id}`);
    expect(revoked.status).toBe(204);
    const answers = await Promise.all(others);
    for (const { status } of answers) expect([200, 409]).toContain(status);
    for (const { body } of answers.filter(({ body }) => body.data?.key)) {
      expect((await shop(body.data.key)).status).toBe(401);
    }
    expect((await shop(key)).status).toBe(401);
    expect((await ask(`GET /admin/api-keys/${id}`)).body.data.state).toBe("revoked");
  });
});

describe("when the limiter is not notified", () => {
  const deaf = () => ({ API_KEY_HOME: failing(env.API_KEY_HOME, [fault()]).namespace });

  it("a revocation succeeds, is seen within 60 s, and at once when it is repeated", async () => {
    const errors = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const [one, other] = [await aUsedKey(), await aUsedKey()];
    for (const { id } of [one, other]) {
      expect((await callWith(deaf(), `DELETE /admin/api-keys/${id}`, { as: admin.token })).status).toBe(204);
    }
    expect(String(errors.mock.calls[0]?.[0])).toContain("rate limiter not notified");
    errors.mockRestore();
    expect(statuses([await shop(one.key), await shop(other.key)])).toEqual([200]);
    await ask(`DELETE /admin/api-keys/${other.id}`);
    expect((await shop(other.key)).status).toBe(401);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + MINUTE });
    expect((await shop(one.key)).status).toBe(401);
  });

  it("the limiter is notified even if the response to the write was lost", async () => {
    const { id, key } = await aUsedKey();
    let trips = 0;
    const bindings = watched<Env>(env, async (storage, work) => {
      const answer = await work();
      if (storage === "d1" && ++trips === 2) throw new Error("D1_ERROR: Network connection lost.");
      return answer;
    });
    await ask("GET /admin/api-keys");
    expect((await callWith(bindings, `DELETE /admin/api-keys/${id}`, { as: admin.token })).status).toBe(503);
    expect((await shop(key)).status).toBe(401);
  });
});
