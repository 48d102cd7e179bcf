import { count, eq } from "drizzle-orm";
import fc from "fast-check";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { auditLog } from "../../src/platform/db/schema.ts";
import { withField } from "../support/body-routes.ts";
import { call } from "../support/call.ts";
import { anError, expectRefusal } from "../support/refusal.ts";
import { aUser, db } from "../support/shop.ts";
import { adminEndpoints } from "./endpoints/index.ts";

type Body = Record<string, unknown>;

/** Values of another type than the one that a good body has there. Null may be a value of its own. */
const wrong: Record<string, unknown[]> = {
  string: [5, true, [], {}],
  number: ["1", "", true, [], {}],
  boolean: ["true", 1, [], {}],
  object: ["text", 5, true, []],
  array: ["text", 5, true, {}],
};

const strangers = ["surprise", "", "$set", "constructor", "__proto__", "id", "updated_at"];

const kindOf = (value: unknown): string => (Array.isArray(value) ? "array" : typeof value);

/** Every field of a body by its dotted path, with what it is. */
function fieldsOf(value: unknown, path = ""): [path: string, kind: string][] {
  const inside = value !== null && typeof value === "object" ? Object.entries(value) : [];
  const deeper = inside.flatMap(([name, field]) => fieldsOf(field, path ? `${path}.${name}` : name));
  return path ? [[path, kindOf(value)], ...deeper] : deeper;
}

const withBody = Object.entries(adminEndpoints).filter(([line]) => /^(POST|PUT)/.test(line));

describe.each(withBody)("%s", (line, { request }) => {
  let admin: { id: number; token: string };
  let target: { path: string; body?: Body | FormData | Uint8Array; headers?: Record<string, string> };

  beforeAll(async () => {
    target = await request();
  });

  /** One for each test: an administrator has a limit of requests too. */
  beforeEach(async () => {
    admin = await aUser({ role: "admin" });
  });

  const body = (): Body =>
    target.body instanceof FormData || target.body instanceof Uint8Array ? {} : (target.body ?? {});
  const send = (sent: unknown) =>
    call(`${line.split(" ")[0]} /admin${target.path}`, {
      as: admin.token,
      body: sent,
      headers: { ...target.headers, "Content-Type": "application/json" },
    });
  const written = async () =>
    (
      await db
        .select({ entries: count() })
        .from(auditLog)
        .where(eq(auditLog.actor, `user:${admin.id}`))
    )[0]?.entries;

  it("refuses any other type for each field, by its name, and writes nothing", async () => {
    for (const [path, kind] of fieldsOf(body())) {
      for (const value of wrong[kind] ?? []) {
        expectRefusal(await send(withField(body(), path, value)), 400, path);
      }
    }
    expect(await written()).toBe(0);
  });

  it("refuses half of a character in every text, by its name, and writes nothing", async () => {
    const texts = fieldsOf(body()).filter(([path, kind]) => kind === "string" && !/password/.test(path));
    for (const [path] of texts) expectRefusal(await send(withField(body(), path, "a\ud83db")), 400, path);
    expect(await written()).toBe(0);
  });

  it("names what it does not know and writes nothing", async () => {
    if (Object.keys(body()).length === 0) return;
    for (const name of strangers) expectRefusal(await send({ ...body(), [name]: 1 }), 400, name);
    expect(await written()).toBe(0);
  });

  it("answers an envelope and no fault of ours, whatever JSON is sent", async () => {
    const paths = fieldsOf(body()).map(([path]) => path);
    const nearly = fc
      .tuple(fc.constantFrom("surprise", ...paths), fc.jsonValue())
      .map(([path, value]) => withField(body(), path, value));
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.jsonValue(), nearly), async (value) => {
        const answer = await send(JSON.stringify(value));
        expect(answer.status, JSON.stringify([value, answer.body])).toBeLessThan(500);
        if (answer.status >= 400) expect(answer.body).toEqual(anError);
      }),
      { numRuns: 15 },
    );
  });
});
