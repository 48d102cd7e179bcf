import { expect, it } from "vitest";
import { call } from "../support/call.ts";
import { aKey } from "../support/shop.ts";

const madeUp = `sfk_${"x".repeat(33)}`;

it("answers all requests of a flood of forged keys alike, each with its request id", async () => {
  const first = await call("GET /products", { as: madeUp });
  const named = { as: madeUp, headers: { "X-Request-Id": "mine" } };
  const flood = await Promise.all(Array.from({ length: 30 }, () => call("GET /cart", { as: madeUp })));
  flood.push(await call("POST /orders", { ...named, body: {} }));
  const rest = ({ headers }: { headers: Headers }) => [...headers].filter(([name]) => name !== "x-request-id");
  for (const answer of flood) {
    expect([answer.status, answer.body, rest(answer)]).toEqual([401, first.body, rest(first)]);
  }
  expect(new Set(flood.map(({ headers }) => headers.get("X-Request-Id"))).size).toBe(31);
  expect(flood.at(-1)?.headers.get("X-Request-Id")).toBe("mine");
});

it("lets a genuine key through during the flood", async () => {
  const { key } = await aKey();
  const flood = Array.from({ length: 30 }, () => call("GET /products", { as: madeUp }));
  expect((await call("GET /products", { as: key })).status).toBe(200);
  expect((await Promise.all(flood)).map(({ status }) => status)).toEqual(Array(30).fill(401));
});

it("answers a preflight without checking a key", async () => {
  await call("GET /products", { as: madeUp });
  expect((await call("OPTIONS /products", { as: madeUp })).status).toBe(204);
});
