import { exports } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { bodyRoutes, type Opened, opened } from "../support/body-routes.ts";
import { call, requestTo } from "../support/call.ts";
import { shared } from "../support/callers.ts";
import { anError, expectRefusal } from "../support/refusal.ts";
import { aKey } from "../support/shop.ts";

const MEGABYTE = 1024 * 1024;

const aCaller = shared(() => aKey());

/** A body sent in chunks, without a Content-Length. */
const streamed = (pieces: string[]) =>
  new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece));
      controller.close();
    },
  });

const otherTypes = [
  "text/plain",
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=x",
  "application/xml",
  "application/jsonp",
  "json",
];

describe.each(Object.entries(bodyRoutes))("%s", (_, open) => {
  let caller: Opened;
  let before: unknown;

  beforeAll(async () => {
    caller = await open();
    before = await caller.rows();
  });

  it("refuses a body of any other type and writes nothing", async () => {
    const { line, as, body, rows } = caller;
    for (const type of otherTypes) {
      const answer = await call(line, { as, body, headers: { "Content-Type": type } });
      expect(answer.status, type).toBe(415);
      expectRefusal(answer, 415, "body");
    }
    expect(await rows()).toEqual(before);
  });

  it("refuses a body without a type and writes nothing", async () => {
    const { line, as, body, rows } = caller;
    const request = new Request(requestTo(line, { as }), { body: streamed([JSON.stringify(body)]) });
    const answer = await exports.default.fetch(request);
    expect([answer.status, await answer.json()]).toEqual([415, anError]);
    expect(await rows()).toEqual(before);
  });

  it("refuses a body over 1 MB, with or without a declared length, and writes nothing", async () => {
    const { line, as, body, rows } = caller;
    const blanks = " ".repeat(MEGABYTE / 4);
    expectRefusal(await call(line, { as, body: JSON.stringify(body) + blanks.repeat(4) }), 413, "body");
    const pieces = streamed([JSON.stringify(body), blanks, blanks, blanks, blanks]);
    const request = new Request(requestTo(line, { as, body }), { body: pieces });
    const answer = await exports.default.fetch(request);
    expect([answer.status, await answer.json()]).toEqual([413, anError]);
    expect(await rows()).toEqual(before);
  });
});

it.each([true, false])("accepts a body of exactly 1 MB (length declared: %s)", async (announced) => {
  const { line, as, body } = await opened("POST /cart");
  const text = JSON.stringify(body).padEnd(MEGABYTE, " ");
  const request = requestTo(line, { as, body: text });
  const sent = announced ? request : new Request(request, { body: streamed([text]) });
  expect((await exports.default.fetch(sent)).status).toBe(201);
});

it.each([
  "application/json",
  "application/json; charset=utf-8",
  "application/json;charset=UTF-8",
  'application/json; charset="utf-8"',
  "application/json ; charset=utf-8",
  "Application/JSON",
  "application/vnd.api+json",
  "application/vnd.shop.v1+json",
])("accepts a body of type %s", async (type) => {
  const { key } = await aCaller();
  // The field is validated, so the body was read in spite of its content type.
  const answer = await call("POST /cart", { as: key, body: { product_id: 0 }, headers: { "Content-Type": type } });
  expectRefusal(answer, 400, "product_id");
});

it.each(["POST /auth/logout", "DELETE /cart"])("%s accepts a body that turns out to be empty", async (line) => {
  const { as } = await opened("POST /auth/logout");
  const answer = await exports.default.fetch(new Request(requestTo(line, { as }), { body: streamed([]) }));
  expect(answer.status).toBe(204);
});

const long = "x".repeat(8192);

it.each([
  ["an X-Cart-Token of 8 KB", long],
  ["a cart token cut short", `sfc_${"x".repeat(42)}`],
  ["a cart token that is too long", `sfc_${"x".repeat(44)}`],
  ["two cart tokens", `sfc_${"x".repeat(43)}, sfc_${"x".repeat(43)}`],
  ["a cart token of other characters", `sfc_${"'".repeat(43)}`],
])("refuses %s on every route that reads it", async (_, token) => {
  const { key } = await aCaller();
  const headers = { "X-Cart-Token": token };
  for (const [line, body] of [
    ["GET /cart", undefined],
    ["POST /cart", { product_id: 1 }],
    ["PUT /cart/items/1", { quantity: 1 }],
    ["DELETE /cart/items/1", undefined],
    ["DELETE /cart", undefined],
    ["POST /orders", { items: [], payment_method: "paypal" }],
  ] as const) {
    expectRefusal(await call(line, { as: key, body, headers }), 400, "x-cart-token");
  }
});

it.each([
  "Accept",
  "Accept-Language",
  "Cookie",
  "If-Match",
  "If-None-Match",
  "If-Range",
  "Origin",
  "Range",
  "Referer",
  "User-Agent",
  "X-Request-Id",
  "X-Forwarded-For",
  "CF-Connecting-IP",
  "Idempotency-Key",
  "X-Something-Else",
])("is not harmed by a header %s of 8 KB", async (name) => {
  const { key } = await aCaller();
  expect((await call("GET /cart", { as: key, headers: { [name]: long } })).status).toBe(200);
  expect((await call("GET /files", { headers: { [name]: long } })).status).toBe(200);
});

it("is not harmed by a hundred unknown headers", async () => {
  const headers = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`X-Unknown-${n}`, "constructor"]));
  expect((await call("GET /cart", { as: (await aCaller()).key, headers })).status).toBe(200);
});
