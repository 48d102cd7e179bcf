import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { callWith } from "../../support/call.ts";
import { aKey, aProduct } from "../../support/shop.ts";
import { watched } from "../../support/watched.ts";

it("runs one database search at a time while they are slow, however many are sent at once", async () => {
  await aProduct({ name: "Amber Lamp" });
  const { key } = await aKey({ tier: "premium" });
  const reading = { now: 0, most: 0, times: 0 };
  const bindings = watched<Env>(env, async (storage, call) => {
    const answer = Promise.resolve(call());
    if (storage !== "d1") return answer;
    reading.now++;
    reading.times++;
    reading.most = Math.max(reading.most, reading.now);
    const result = await answer.finally(() => reading.now--);
    return { ...result, meta: { duration: 10 } };
  });
  const search = (n: number) =>
    callWith(bindings, `GET /products?search=amber&sort=name&max_price=${100 + n}`, { as: key });
  // No time passes between searches, so earlier tests may have used up the limit.
  const answers = [await search(0), ...(await Promise.all(Array.from({ length: 20 }, (_, n) => search(n + 1))))];
  expect(answers.map(({ status }) => status)).toEqual(Array(21).fill(200));
  expect([reading.times, reading.most]).toEqual([21, 1]);
});
