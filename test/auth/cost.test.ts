import { expect, it } from "vitest";
import { mintApiKey } from "../../src/platform/auth/api-keys/format.ts";
import { anAccount, aSession, PASSWORD } from "../support/accounts.ts";
import { callWith } from "../support/call.ts";
import { counted, type Trips } from "../support/counting.ts";
import { aKey, aUser, settings } from "../support/shop.ts";

const NONE: Trips = { d1: 0, durableObjects: 0, r2: 0 };

/** Cost and response of one request. */
async function cost(...[line, options]: [line: string, options?: Parameters<typeof callWith>[2]]) {
  const { bindings, trips } = counted();
  const { status } = await callWith(bindings, line, options);
  return { status, ...trips };
}

it.each([
  ["a forged key", `sfk_${"x".repeat(33)}`],
  ["a key with one character changed", mintApiKey(settings.apiKeySecrets).replace(/.$/, "_")],
  ["a forged token", "eyJhbGciOiJFZERTQSIsImtpZCI6IngifQ.eyJzdWIiOiIxIn0.AAAA"],
  ["a word", "nonsense"],
])("refuses %s without any I/O, on a route that needs a credential and on one that does not", async (_, as) => {
  for (const line of ["GET /products", "GET /files", "POST /auth/login", "POST /auth/logout", "GET /nothing"]) {
    expect(await cost(line, { as })).toEqual({ status: 401, ...NONE });
  }
});

it("accepts a valid key with one Durable Object call and one D1 round trip, warm or cold", async () => {
  const { key } = await aKey();
  for (const temperature of ["cold", "warm"]) {
    const trips = await cost("GET /products", { as: key });
    expect(trips, temperature).toEqual({ status: 200, ...NONE, durableObjects: 1, d1: 1 });
  }
});

it("refuses a missing permission with one Durable Object call", async () => {
  const { key } = await aKey({ permissions: [] });
  expect(await cost("GET /products", { as: key })).toEqual({ status: 403, ...NONE, durableObjects: 1 });
});

it("refuses a key that is not stored with two Durable Object calls: its own and the address's", async () => {
  const as = mintApiKey(settings.apiKeySecrets);
  expect(await cost("GET /products", { as })).toEqual({ status: 401, ...NONE, durableObjects: 2 });
});

it("makes no call for a caller without a required credential", async () => {
  expect(await cost("GET /products")).toEqual({ status: 401, ...NONE });
});

// The user's object and the address's are called in parallel. Where a password is checked, the account's is called
// before and after.
it("reads in at most one round trip and writes in one, whatever happens to a session", async () => {
  const { id, email, token } = await anAccount();
  const { refreshToken, token: other } = await aSession(id);
  const asked = (as: string | undefined, body?: unknown) => ({ as, body });
  const steps: [line: string, options: ReturnType<typeof asked>, status: number, d1: number, durableObjects: number][] =
    [
      ["GET /account/profile", asked(token), 200, 1, 2],
      ["PUT /account/profile", asked(token, { name: "New" }), 200, 2, 2],
      ["PUT /account/profile", asked(token, { password: "another one", current_password: PASSWORD }), 200, 2, 6],
      ["POST /auth/login", asked(undefined, { email, password: "another one" }), 200, 2, 3],
      ["POST /auth/refresh", asked(undefined, { refresh_token: refreshToken }), 401, 1, 1],
      ["GET /account/profile", asked(other), 401, 0, 3],
      ["POST /auth/logout", asked(token), 204, 1, 3],
    ];
  for (const [line, options, status, d1, durableObjects] of steps) {
    expect(await cost(line, options), line).toEqual({ status, d1, durableObjects, r2: 0 });
  }
});

it("signs up and refreshes in two round trips each", async () => {
  const signup = { email: "cost@shop.test", password: PASSWORD, name: "Cost" };
  expect(await cost("POST /auth/signup", { body: signup })).toEqual({ status: 201, ...NONE, d1: 2, durableObjects: 4 });
  const { refreshToken } = await aSession((await aUser()).id);
  const refresh = await cost("POST /auth/refresh", { body: { refresh_token: refreshToken } });
  expect(refresh).toEqual({ status: 200, ...NONE, d1: 2, durableObjects: 1 });
});
