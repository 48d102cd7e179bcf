import { describe, expect, it, vi } from "vitest";
import { type Answer, anAddress, call } from "../support/call.ts";
import { LONG } from "../support/long.ts";
import { aRefusal } from "../support/refusal.ts";
import { aKey, aUser } from "../support/shop.ts";

const LIMIT = 20;

const from = (address: string) => ({ "CF-Connecting-IP": address });

/** A login or sign-up that is counted but refused before any password is hashed. */
const knock = (address: string, line = "POST /auth/login", as?: string) =>
  call(line, { as, body: {}, headers: from(address) });

const times = (count: number, ask: () => Promise<Answer>) => Promise.all(Array.from({ length: count }, ask));
const statuses = (answers: Answer[]) => new Set(answers.map(({ status }) => status));

function expectLimited({ status, headers, body }: Answer) {
  expect(status).toBe(429);
  const seconds = Number(headers.get("Retry-After"));
  expect(seconds).toBeGreaterThanOrEqual(1);
  expect(seconds).toBeLessThanOrEqual(60);
  expect(body).toEqual(aRefusal("rate_limited", expect.stringContaining("Too many requests")));
}

describe("login and signup", () => {
  it("are refused to an address after 20 attempts in a minute, counted together", async () => {
    const address = "192.0.2.10";
    expect(statuses(await times(LIMIT / 2, () => knock(address)))).toEqual(new Set([400]));
    expect(statuses(await times(LIMIT / 2, () => knock(address, "POST /auth/signup")))).toEqual(new Set([400]));
    for (const line of ["POST /auth/login", "POST /auth/signup"]) {
      const answer = await knock(address, line);
      expectLimited(answer);
      expect(answer.headers.get("RateLimit-Policy")).toBe('"sign-in";q=20;w=60');
      expect(answer.headers.get("X-RateLimit-Remaining")).toBe("0");
    }
    expect((await knock("192.0.2.11")).status).toBe(400);
  });

  it("count users who verify an address by account, because the shoppers of a server share its address", async () => {
    const [address, one, other] = [anAddress(), await aUser(), await aUser()];
    const open = (as?: string) => knock(address, "POST /auth/verify-email", as);
    expect(statuses(await times(LIMIT, () => open(one.token)))).toEqual(new Set([400]));
    expectLimited(await open(one.token));
    for (const as of [other.token, undefined]) expect((await open(as)).status).toBe(400);
  });

  it("are counted together within one IPv6 network, and separately for another", async () => {
    let host = 0;
    await times(LIMIT, () => knock(`2001:db8:abcd:1::${(++host).toString(16)}`));
    for (const address of ["2001:db8:abcd:1::ffff", "2001:db8:abcd:1:ffff:ffff:ffff:ffff", "2001:DB8:ABCD:0001::1"]) {
      expectLimited(await knock(address));
    }
    for (const address of ["2001:db8:abcd:2::1", "2001:db8:abce:1::1", "192.0.2.12"]) {
      expect((await knock(address)).status).toBe(400);
    }
  });

  it("are also counted for all networks of one IPv6 /48, with ten times the limit", async () => {
    let subnet = 0;
    const next = () => `2001:db8:4848:${(++subnet).toString(16)}::1`;
    expect(statuses(await times(10 * LIMIT, () => knock(next())))).toEqual(new Set([400]));
    expectLimited(await knock(next()));
    expect((await knock("2001:db8:4849:1::1")).status).toBe(400);
  });

  it("do not count against a /48 if one of its networks is refused", async () => {
    await times(12 * LIMIT, () => knock("2001:db8:4747:1::1"));
    expect((await knock("2001:db8:4747:2::1")).headers.get("X-RateLimit-Remaining")).toBe("19");
  });

  it("do not count against the address's other requests", async () => {
    const address = anAddress();
    await times(LIMIT, () => knock(address));
    expectLimited(await knock(address));
    expect((await call("GET /files", { headers: from(address) })).status).toBe(200);
    expect((await knock(address, "POST /auth/refresh")).status).toBe(400);
  });

  it("are not limited by address for a shop's server, which its key's limit covers", async () => {
    const { key } = await aKey({ permissions: ["users:write"] });
    const address = anAddress();
    const answers = await times(LIMIT + 5, () => knock(address, "POST /auth/login", key));
    expect(statuses(answers)).toEqual(new Set([400]));
    expect(answers[0]?.headers.get("RateLimit-Policy")).toBe('"standard";q=100;w=60');
    expect((await knock(address)).headers.get("X-RateLimit-Remaining")).toBe("19");
  });

  it("are limited by address for a user too, because everyone can get a token by signing up", async () => {
    const { token } = await aUser();
    const address = anAddress();
    await times(LIMIT, () => knock(address, "POST /auth/login", token));
    expectLimited(await knock(address, "POST /auth/login", token));
  });
});

describe("the address that a server passes on for a shopper", () => {
  const passOn = (key: string | undefined, shopper: string, from = anAddress()) =>
    call("POST /auth/login", { as: key, body: {}, headers: { "X-Client-Address": shopper, "CF-Connecting-IP": from } });

  it("is limited as if the shopper had called, independently of other shoppers", async () => {
    const { key } = await aKey({ tier: "premium" });
    expect(statuses(await times(LIMIT, () => passOn(key, "192.0.2.50")))).toEqual(new Set([400]));
    const refused = await passOn(key, "192.0.2.50");
    expectLimited(refused);
    expect(refused.headers.get("RateLimit-Policy")).toBe('"premium";q=1000;w=60');
    expectLimited(await knock("192.0.2.50"));
    expect((await passOn(key, "192.0.2.51")).status).toBe(400);
  });

  it("is ignored from callers without a key, which have an address of their own", async () => {
    const { token } = await aUser();
    const from_ = anAddress();
    let shopper = 0;
    await times(LIMIT, () => passOn(token, `192.0.3.${++shopper}`, from_));
    expectLimited(await passOn(undefined, "192.0.3.250", from_));
  });

  it.each(["", "localhost", "192.0.2", "192.0.2.1, 192.0.2.2", "0x7f.1", "2001:db8::g"])(
    "must be an address: %j",
    async (shopper) => {
      const { status, body } = await passOn((await aKey()).key, shopper);
      expect([status, Object.keys(body.errors)]).toContainEqual(["x-client-address"]);
      expect(status).toBe(400);
    },
  );
});

describe("sign-ups", () => {
  it("are refused to an address after 20 in an hour, with a matching message", LONG, async () => {
    const headers = from("192.0.2.60");
    const body = (email: string) => ({ email, password: "long enough", name: "New" });
    // A form with an error does not count. One with an address that is taken does, so that testing addresses stays
    // slow.
    await call("POST /auth/signup", { headers, body: {} });
    const taken = await aUser();
    const answers: Answer[] = [];
    for (let n = 0; n < LIMIT; n++) {
      const email = n % 2 ? taken.email : `signed-up-${n}@shop.test`;
      vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 60_000 });
      answers.push(await call("POST /auth/signup", { headers, body: body(email) }));
    }
    expect(statuses(answers)).toEqual(new Set([201, 400]));
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 60_000 });
    const { status, headers: told } = await call("POST /auth/signup", { headers, body: body("one-more@shop.test") });
    expect([status, told.get("RateLimit-Policy")]).toEqual([429, '"sign-up";q=20;w=3600']);
    expect(Number(told.get("Retry-After"))).toBeGreaterThan(60);
    expect((await knock("192.0.2.60")).status).toBe(400);
    vi.useRealTimers();
  });
});

describe("users", () => {
  it("are limited together to 600 requests a minute from one address, whatever the number of accounts", async () => {
    const users = await Promise.all(Array.from({ length: 8 }, () => aUser()));
    const headers = from("192.0.2.70");
    const ask = (n: number, at = headers) => call("GET /cart", { as: users[n % 8]?.token, headers: at });
    const answers = await Promise.all(Array.from({ length: 640 }, (_, n) => ask(n)));
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused).toHaveLength(40);
    for (const answer of refused) {
      expectLimited(answer);
      expect(answer.headers.get("RateLimit-Policy")).toBe('"user-address";q=600;w=60');
    }
    expect((await ask(0, from(anAddress()))).status).toBe(200);
  });
});

it("counts passwords and codes of signed-in users by user, because a storefront's shoppers share its address", async () => {
  const [one, other] = [await aUser(), await aUser()];
  const headers = from(anAddress());
  const prove = (as: string) => call("POST /account/two-factor/disable", { as, body: { code: "000000" }, headers });
  expect(statuses(await times(LIMIT, () => prove(one.token)))).toEqual(new Set([409]));
  expectLimited(await prove(one.token));
  expect((await prove(other.token)).status).toBe(409);
});

describe("a genuine credential that is no longer valid", () => {
  it("is 429 after 20 uses in a minute, only from that address", async () => {
    const { key } = await aKey({ revokedAt: Date.now() });
    const [address, other] = [anAddress(), anAddress()];
    const use = (at: string) => call("GET /products", { as: key, headers: from(at) });
    expect(statuses(await times(LIMIT, () => use(address)))).toEqual(new Set([401]));
    expectLimited(await use(address));
    expect((await use(other)).status).toBe(401);
  });

  it("is limited together with others from the same address, and does not affect valid ones", async () => {
    const [revoked, good, user, out] = [
      await aKey({ revokedAt: Date.now() }),
      await aKey(),
      await aUser(),
      await aUser(),
    ];
    await call("POST /auth/logout", { as: out.token });
    const headers = from(anAddress());
    await times(LIMIT / 2, () => call("GET /files", { as: revoked.key, headers }));
    expect(statuses(await times(LIMIT / 2, () => call("GET /files", { as: out.token, headers })))).toEqual(
      new Set([401]),
    );
    expectLimited(await call("GET /files", { as: revoked.key, headers }));
    expectLimited(await call("GET /files", { as: out.token, headers }));
    for (const as of [good.key, user.token, undefined]) {
      expect((await call("GET /files", { as, headers })).status).toBe(200);
    }
  });
});
