import { beforeEach, describe, expect, it } from "vitest";
import { policies } from "../../src/platform/rate-limit/policies.ts";
import { type Answer, callWith } from "../support/call.ts";
import { aDiscount } from "../support/pricing.ts";
import { aRefusal } from "../support/refusal.ts";
import { ADDRESS, aKey, aProduct, aUser, onPurpose, orderOf } from "../support/shop.ts";

const { limit: LIMIT } = policies["discount-codes"];
const { limit: SHARED } = policies["shared-discount-codes"];

let as: string;
let product: Awaited<ReturnType<typeof aProduct>>;

beforeEach(async () => {
  ({ token: as } = await aUser({ wallet: 1_000_000 }));
  product = await aProduct();
});

let guessed = 0;
const guesses = (many: number) => Array.from({ length: many }, () => `guess-${++guessed}`);

const items = () => [{ product_id: product.id, quantity: 1 }];

/** Guesses of existing codes are given back after the response. This waits until they are. */
const call = (line: string, options: Parameters<typeof callWith>[2]) => callWith({}, line, options);

const quote = (discount_codes: unknown[], caller = as, headers: Record<string, string> = {}) =>
  call("POST /checkout/quote", {
    as: caller,
    body: { items: items(), shipping_address: ADDRESS, discount_codes },
    headers,
  });

const order = (discount_codes: unknown[]) =>
  call("POST /orders", { as, body: orderOf(product, 1, { discount_codes }), headers: onPurpose() });

const problemsOf = ({ body }: Answer) => body.data.problems.map(({ code }: { code: string }) => code);

function expectLimited({ status, headers, body }: Answer) {
  expect([status, body]).toEqual([429, aRefusal("rate_limited", expect.stringContaining("Too many requests"))]);
  expect(Number(headers.get("Retry-After"))).toBeLessThanOrEqual(3600);
  expect(Number(headers.get("Retry-After"))).toBeGreaterThan(60);
}

/** Uses all but this many of the guesses. */
async function guessAllBut(left: number, caller = as, headers?: Record<string, string>) {
  for (let most = LIMIT - left; most > 0; most -= 10) {
    expect((await quote(guesses(Math.min(10, most)), caller, headers)).status).toBe(200);
  }
}

describe("unknown discount codes", () => {
  it("are refused after 20 in an hour, whether quoted or ordered", async () => {
    await guessAllBut(1);
    const last = await order(guesses(1));
    expect([last.status, last.body.code]).toEqual([400, "unknown_discount_code"]);
    expectLimited(await order(guesses(1)));
    expectLimited(await quote(guesses(1)));
    expect((await quote([])).status).toBe(200);
    expect((await order([])).status).toBe(201);
  });

  it("hide a right code from somebody who has guessed too often, so that it looks like any other", async () => {
    const right = await aDiscount();
    expect((await order([right.code])).status).toBe(201);
    await guessAllBut(0);
    expectLimited(await quote([right.code]));
    expectLimited(await order([right.code]));
    expect((await quote([right.code], (await aUser()).token)).status).toBe(200);
  });

  it("count individually: more than remain are refused together, at no cost", async () => {
    await guessAllBut(3);
    expectLimited(await quote(guesses(4)));
    expect((await quote(guesses(3))).status).toBe(200);
    expectLimited(await quote(guesses(1)));
  });

  it("count the same when they arrive at once", async () => {
    const answers = await Promise.all(guesses(LIMIT + 15).map((code) => quote([code])));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(LIMIT);
    for (const answer of answers.filter(({ status }) => status !== 200)) expectLimited(answer);
  });
});

describe("right discount codes", () => {
  it("do not count, however often they are sent, in any case, nor do codes refused for another reason", async () => {
    const { code } = await aDiscount();
    const ended = await aDiscount({ endsAt: Date.now() - 1 });
    await guessAllBut(10);
    for (let time = 0; time < LIMIT + 5; time++) {
      expect(problemsOf(await quote([code, String(code).toLowerCase()]))).toEqual([]);
    }
    expect(problemsOf(await quote([ended.code]))).toEqual(["discount_not_applicable"]);
    const refused = await call("POST /orders", { as, body: orderOf(product, 1_000, { discount_codes: [code] }) });
    expect(refused.body.code).toBe("insufficient_stock");
    expect((await order([code])).status).toBe(201);
    expect(problemsOf(await quote([code, ...guesses(9)]))).toHaveLength(9);
    expect((await quote(guesses(1))).status).toBe(200);
    expectLimited(await quote([code]));
  });
});

describe("the shoppers of an API key", () => {
  const from = (address: string) => ({ "X-Client-Address": address });

  it("are distinguished by the address that it passes on, also when they order", async () => {
    const { key } = await aKey();
    await guessAllBut(0, key, from("192.0.2.1"));
    expectLimited(await quote(guesses(1), key, from("192.0.2.1")));
    const body = orderOf(product, 1, { payment_method: "paypal", discount_codes: guesses(1) });
    expectLimited(await call("POST /orders", { as: key, body, headers: from("192.0.2.1") }));
    expect((await quote(guesses(1), key, from("192.0.2.2"))).status).toBe(200);
    expect((await quote(guesses(1), key)).status).toBe(200);
  });

  it("count as one caller without it, with more guesses; the address is ignored for a user", async () => {
    const { key } = await aKey();
    for (let most = SHARED; most > 0; most -= 10) expect((await quote(guesses(10), key)).status).toBe(200);
    expectLimited(await quote(guesses(1), key));
    expect((await quote(guesses(1), (await aKey()).key)).status).toBe(200);
    await guessAllBut(0);
    expectLimited(await quote(guesses(1), as, from("192.0.2.99")));
  });

  it("are refused an invalid address", async () => {
    const { key } = await aKey();
    const { status, body } = await quote(guesses(1), key, from("nowhere"));
    expect([status, Object.keys(body.errors)]).toEqual([400, ["x-client-address"]]);
  });
});
