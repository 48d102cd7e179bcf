import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { auditLog } from "../../src/platform/db/schema.ts";
import { anAdmin } from "../support/administration.ts";
import { call } from "../support/call.ts";
import { anError } from "../support/refusal.ts";
import { db } from "../support/shop.ts";
import { expectEachRefused, expectOtherTypesRefused, fieldsOf, withField } from "../support/wrong-values.ts";
import { adminEndpoints } from "./endpoints/index.ts";

type Body = Record<string, unknown>;

/** Values of the wrong type for a field of each type. Null is left out because some fields accept it. */
const wrong: Record<string, unknown[]> = {
  string: [5, true, [], {}],
  number: ["1", "", true, [], {}],
  boolean: ["true", 1, [], {}],
  object: ["text", 5, true, []],
  array: ["text", 5, true, {}],
};

const strangers = ["surprise", "", "$set", "constructor", "__proto__", "id", "updated_at"];

/** Each item of a batch is refused on its own, by test/imports/batch.test.ts. */
const isOfItem = (path: string): boolean => path.startsWith("items.");

const withBody = Object.entries(adminEndpoints).filter(([line]) => /^(POST|PUT)/.test(line));

describe.each(withBody)("%s", (line, { request }) => {
  let target: { path: string; body?: Body | FormData | Uint8Array; headers?: Record<string, string> };

  beforeAll(async () => {
    target = await request();
  });

  const body = (): Body =>
    target.body instanceof FormData || target.body instanceof Uint8Array ? {} : (target.body ?? {});
  const send = async (sent: unknown) =>
    call(`${line.split(" ")[0]} /admin${target.path}`, {
      as: (await anAdmin()).token,
      body: sent,
      headers: { ...target.headers, "Content-Type": "application/json" },
    });

  it("refuses wrong types for each field, half characters in texts and unknown fields, by name, and writes nothing", async () => {
    const before = await db.$count(auditLog);
    const fields = fieldsOf(body()).filter(([path]) => !isOfItem(path));
    await expectOtherTypesRefused(send, body(), fields, (_, kind) => wrong[kind] ?? []);
    const texts = fields.filter(([path, kind]) => kind === "string" && !/password/.test(path));
    await expectEachRefused(
      send,
      body(),
      texts.map(([path]) => [path, "a\ud83db"]),
    );
    if (fields.length > 0)
      await expectEachRefused(
        send,
        body(),
        strangers.map((name) => [name, -1]),
      );
    expect(await db.$count(auditLog)).toBe(before);
  });

  it("answers any JSON in the envelope and without an internal error", async () => {
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
