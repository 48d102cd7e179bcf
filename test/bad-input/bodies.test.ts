import fc from "fast-check";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { adminEndpoints } from "../admin/endpoints/index.ts";
import { anAdmin } from "../support/administration.ts";
import { bodyRoutes, type Opened, opened } from "../support/body-routes.ts";
import { type Answer, call } from "../support/call.ts";
import { bodySchemaOf, mayBeNull, withNulls } from "../support/documented-nulls.ts";
import { noRules } from "../support/pricing.ts";
import { anError, expectRefusal } from "../support/refusal.ts";
import { expectEachRefused, expectOtherTypesRefused, fieldsOf, withField } from "../support/wrong-values.ts";

const texts: [string, string][] = [
  ["malformed", '{"a":}'],
  ["in single quotes", "{'a': 1}"],
  ["two documents", "{}{}"],
  ["a word", "undefined"],
  ["NaN", "NaN"],
  ["a control character", "\u0000"],
  ["blank", " \n"],
  ["null", "null"],
  ["true", "true"],
  ["an array", "[{}]"],
  ["a string", '"text"'],
  ["a number", "42"],
  ["a number out of range", "1e309"],
  ["a hundred thousand arrays within each other", "[".repeat(100_000) + "]".repeat(100_000)],
];

const wrong: Record<string, unknown[]> = {
  string: [5, true, null, [], {}],
  number: ["1", "", true, null, [], {}],
  boolean: ["true", 1, null, [], {}],
  object: ["text", 5, true, null, []],
  array: ["text", 5, true, null, {}],
};

/** Includes property names of every JavaScript object: a field must not be accepted because a prototype has it. */
const strangers = [
  "surprise",
  "",
  "$set",
  "constructor",
  "toString",
  "__proto__",
  "hasOwnProperty",
  "__defineGetter__",
];

describe.each(Object.entries(bodyRoutes))("%s", (route, open) => {
  /** One caller for all refused requests, which change nothing. */
  let caller: Opened;
  let before: unknown;
  let paths: [path: string, kind: string][];

  beforeAll(async () => {
    caller = await open();
    before = await caller.rows();
    paths = fieldsOf(caller.body);
  });

  it("accepts the body that the other tests corrupt", async () => {
    const { line, as, body } = await open();
    expect((await call(line, { as, body })).status).toBeLessThan(300);
  });

  it("refuses anything but a JSON object and writes nothing", async () => {
    const { line, as, body, rows } = caller;
    const cut = JSON.stringify(body).slice(0, -1);
    for (const [, text] of [...texts, ["cut short", cut] as const]) {
      expectRefusal(await call(line, { as, body: text }), 400, "body");
    }
    expect(await rows()).toEqual(before);
  });

  it("refuses any other type for each field by name, and writes nothing", async () => {
    const { line, as, body, rows } = caller;
    const send = (sent: unknown) => call(line, { as, body: sent });
    await expectOtherTypesRefused(send, body, paths, (path, kind) =>
      (wrong[kind] ?? []).filter((each) => each !== null || !mayBeNull(bodySchemaOf("user", route), path)),
    );
    expect(await rows()).toEqual(before);
  });

  it("refuses half a character in every text by field name, and writes nothing", async () => {
    const { line, as, body, rows } = caller;
    const kept = paths.filter(([path, kind]) => kind === "string" && !/password|token/.test(path));
    await expectEachRefused(
      (sent) => call(line, { as, body: sent }),
      body,
      kept.map(([path]) => [path, "a\udf75\ud83db"]),
    );
    expect(await rows()).toEqual(before);
  });

  it("refuses bytes that are not UTF-8, or are declared as something else, and writes nothing", async () => {
    const { line, as, body, rows } = caller;
    const text = JSON.stringify({ ...body, note: "caf\u00e9" });
    const latin1 = Uint8Array.from(text, (character) => character.charCodeAt(0));
    const refused = await call(line, { as, body: latin1 });
    expectRefusal(refused, 400, "body");
    expect(refused.body.details).toMatchObject([{ code: "invalid_json" }]);
    const headers = { "Content-Type": "application/json; charset=iso-8859-1" };
    expectRefusal(await call(line, { as, body: text, headers }), 415, "content-type");
    expect(await rows()).toEqual(before);
  });

  it("names unknown fields in each object and writes nothing", async () => {
    const { line, as, body, rows } = caller;
    const objects = ["body", ...paths.filter(([, kind]) => kind === "object").map(([path]) => path)];
    const unknown = objects.flatMap((object) =>
      strangers.map((name): [string, unknown] => [object === "body" ? name : `${object}.${name}`, "value"]),
    );
    await expectEachRefused((sent) => call(line, { as, body: sent }), body, unknown);
    expect(await rows()).toEqual(before);
  });

  it("answers any JSON in the envelope and without an internal error", async () => {
    const { line, as, body } = await open();
    const nearly = fc
      .tuple(fc.constantFrom(...paths.map(([path]) => path)), fc.jsonValue())
      .map(([path, value]) => withField(body, path, value));
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.jsonValue(), nearly), async (value) => {
        expectEnvelope(await call(line, { as, body: JSON.stringify(value) }));
      }),
      { numRuns: 25 },
    );
  });
});

it("treats an empty body of any type as no body: required fields are named", async () => {
  const answer = await call("POST /auth/login", { body: "" });
  expect(answer.status).toBe(400);
  expect(answer.body.errors).toEqual({ email: ["is required"], password: ["is required"] });
});

function expectEnvelope({ status, body }: Answer): void {
  expect(status).toBeLessThan(500);
  if (status >= 400) expect(body).toEqual(anError);
  else if (status !== 204) expect(body).toMatchObject({ status: "success", message: expect.any(String) });
}

const creations = Object.keys(adminEndpoints).filter(
  (line) => line.startsWith("POST ") && bodySchemaOf("admin", line).$ref !== undefined,
);

describe("null counts as a missing field", () => {
  beforeEach(noRules);

  it.each(creations)("in every optional field of %s", async (line) => {
    const { token, id } = await anAdmin();
    const endpoint = adminEndpoints[line] ?? expect.unreachable();
    const { path, body, headers = {} } = await endpoint.request(id);
    const sent = withNulls(bodySchemaOf("admin", line), body);
    const answer = await call(`POST /admin${path}`, { as: token, body: sent, headers });
    expect([answer.status, answer.body?.details]).toEqual([endpoint.status, undefined]);
  });

  it.each(Object.keys(bodyRoutes).filter((route) => /^POST [\w/-]+$/.test(route)))(
    "in every optional field of %s",
    async (route) => {
      const { line, as, body } = await opened(route);
      const sent = withNulls(bodySchemaOf("user", route), body);
      const answer = await call(line, { as, body: sent });
      expect([answer.status < 300, answer.body?.details]).toEqual([true, undefined]);
    },
  );
});
