import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { call } from "../support/call.ts";
import { aProduct, aUser } from "../support/shop.ts";

it("stores one copy of a cart, however many keys have added to it", async () => {
  const user = await aUser();
  const add = async (key: string) => {
    const { id } = await aProduct();
    const request = { as: user.token, body: { product_id: id }, headers: { "Idempotency-Key": key } };
    return { request, answer: await call("POST /cart", request) };
  };
  const first = await add("first");
  for (let n = 0; n < 10; n++) await add(`key-${n}`);
  const last = await add("last");
  const { results } = await env.DB.prepare("SELECT length(answer) AS bytes FROM idempotency_keys WHERE caller = ?")
    .bind(`user:${user.id}`)
    .all<{ bytes: number }>();
  expect(results).toHaveLength(12);
  for (const { bytes } of results) expect(bytes).toBeLessThan(200);
  expect(await env.DB.prepare("SELECT count(*) AS n FROM cart_answers").first("n")).toBe(1);

  const again = await call("POST /cart", last.request);
  expect([again.headers.get("Idempotent-Replayed"), again.body]).toEqual(["true", last.answer.body]);
  const earlier = await call("POST /cart", first.request);
  expect([earlier.status, earlier.headers.get("Idempotent-Replayed")]).toEqual([201, "true"]);
  expect(earlier.body.data).toEqual(last.answer.body.data);
});

it("replays an earlier addition whose line was removed since", async () => {
  const user = await aUser();
  const { id } = await aProduct();
  const request = { as: user.token, body: { product_id: id }, headers: { "Idempotency-Key": "taken out" } };
  const added = await call("POST /cart", request);
  await call("DELETE /cart", { as: user.token });
  expect((await call("POST /cart", request)).body).toEqual(added.body);
  const other = { product_id: (await aProduct()).id };
  await call("POST /cart", { as: user.token, body: other, headers: { "Idempotency-Key": "another" } });
  const again = await call("POST /cart", request);
  expect([again.status, again.body.data.items.length]).toEqual([201, 1]);
});
