import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { type Answer, call, callWith } from "../support/call.ts";
import { faultyDatabase } from "../support/faulty.ts";
import { aFile, aKey, aPackage, aProduct, aUser } from "../support/shop.ts";
import { aReadySession, ask, complete, openToAgents } from "../ucp/agent.ts";

const levels = ["debug", "error", "info", "log", "trace", "warn"] as const;

let printed: string[] = [];

/**
 * Advances the clock by a second. Another file may have flooded this isolate, and the next line would count its
 * unlogged requests.
 */
beforeAll(async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 1_000 });
  await call("GET /cart", { as: "nonsense" });
  vi.useRealTimers();
});

beforeEach(() => {
  printed = [];
  for (const level of levels) {
    vi.spyOn(console, level).mockImplementation((...words) => printed.push(words.map(String).join(" ")));
  }
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const lines = () => printed.map((line) => JSON.parse(line));
const idOf = ({ headers }: Answer) => headers.get("X-Request-Id");

describe("every request is one line of JSON", () => {
  const line = { time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/), level: "info", ms: expect.any(Number) };

  it("with the request, the response and the caller", async () => {
    const [user, key] = [await aUser(), await aKey()];
    const asked = [
      await call("GET /cart", { as: user.token }),
      await call("GET /products/999999", { as: key.key }),
      await call("GET /files"),
      await call("GET /cart", { as: "nonsense" }),
      await call("DELETE /orders/1"),
    ];
    const api = "/api/v1/user";
    expect(lines()).toEqual(
      [
        { method: "GET", path: `${api}/cart`, status: 200, caller: "user", caller_id: user.id },
        { method: "GET", path: `${api}/products/999999`, status: 404, caller: "api_key", caller_id: key.id },
        { method: "GET", path: `${api}/files`, status: 200, caller: "anonymous", caller_id: null },
        { method: "GET", path: `${api}/cart`, status: 401, caller: null, caller_id: null },
        { method: "DELETE", path: `${api}/orders/1`, status: 404, caller: "anonymous", caller_id: null },
      ].map((fields, index) => ({
        ...line,
        ...fields,
        request_id: idOf(asked[index] as Answer),
        sent_request_id: null,
      })),
    );
  });

  it("with an id of our own next to the sender's, which the response contains", async () => {
    const ask = () => call("GET /files", { headers: { "X-Request-Id": "always-the-same" } });
    const answers = [await ask(), await ask()];
    expect(answers.map(idOf)).toEqual(["always-the-same", "always-the-same"]);
    const names = lines().map(({ request_id, sent_request_id }) => [request_id, sent_request_id]);
    expect(names).toEqual(Array(2).fill([expect.stringMatching(/^[\da-f-]{36}$/), "always-the-same"]));
    expect(new Set(names.map(([ours]) => ours)).size).toBe(2);
  });

  it("whatever its address and headers contain", async () => {
    const forged = encodeURIComponent('x\n{"level":"info","status":200}');
    const answer = await call(`GET /${forged}`, { headers: { "X-Request-Id": '"}{"' } });
    expect(printed).toHaveLength(1);
    expect(printed[0]).not.toContain("\n");
    expect(lines()).toEqual([expect.objectContaining({ status: 404, request_id: idOf(answer) })]);
  });

  it("except in a flood of forged credentials, which is ten lines a second with the number of requests", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 5_000 });
    const flood = (count: number) =>
      Promise.all(Array.from({ length: count }, () => call("GET /cart", { as: `sfk_${"x".repeat(33)}` })));
    await flood(1);
    vi.setSystemTime(Date.now() + 1_000);
    printed = [];
    await flood(40);
    expect(lines().map(({ status }) => status)).toEqual(Array(10).fill(401));
    vi.setSystemTime(Date.now() + 1_000);
    await flood(2);
    expect(
      lines()
        .slice(10)
        .map(({ unlogged }) => unlogged),
    ).toEqual([30, undefined]);
    expect((await call("GET /cart", { as: (await aKey()).key })).status).toBe(200);
    expect(printed).toHaveLength(13);
  });

  it("and another that names the fault if it was internal", async () => {
    const { key } = await aKey();
    const answer = await callWith({ DB: faultyDatabase("a bug") }, "GET /products", { as: key });
    expect(lines()).toEqual([
      expect.objectContaining({ level: "error", cause: "Error: a bug", request_id: idOf(answer) }),
      expect.objectContaining({ level: "info", status: 500, request_id: idOf(answer) }),
    ]);
  });
});

describe("the log contains no secret", () => {
  const password = "correct horse battery";
  const held = (secret: string) =>
    printed.some((line) => line.includes(secret) || line.includes(encodeURIComponent(secret)));

  it("of the Authorization header, good or bad", async () => {
    const [user, key, revoked] = [await aUser(), await aKey(), await aKey({ revokedAt: 1 })];
    const credentials = [user.token, key.key, revoked.key, `sfk_${"x".repeat(33)}`, "a-credential-of-no-kind"];
    for (const credential of credentials) await call("GET /products", { as: credential });
    await call("GET /products", { headers: { Authorization: "Basic dXNlcjpwYXNzd29yZA==" } });
    expect(printed).toHaveLength(credentials.length + 1);
    for (const secret of [...credentials, "dXNlcjpwYXNzd29yZA=="]) expect(held(secret)).toBe(false);
  });

  it("of a signed link", async () => {
    const user = await aUser();
    const file = await aFile({ access: "package", content: "x".repeat(70_000) });
    await aPackage(user.id, [file.id]);
    const { body } = await call(`GET /download-file?file_id=${file.id}`, { as: user.token });
    const token = new URL(body.data.url).searchParams.get("token") ?? "";
    const used = await call(`GET ${body.data.url}`);
    expect([used.status, used.body.length]).toEqual([200, 70_000]);
    await call(`GET /downloads?token=${token.slice(0, -2)}xx`);
    await callWith({ DB: faultyDatabase("a bug") }, `GET /downloads?token=${token}`);
    expect(printed.length).toBeGreaterThanOrEqual(4);
    for (const part of token.split(".")) expect(held(part)).toBe(false);
  });

  it("of a body, accepted or refused", async () => {
    const email = "quiet@shop.test";
    const signup = await call("POST /auth/signup", { body: { email, password, name: "Quiet Person" } });
    const login = await call("POST /auth/login", { body: { email, password } });
    await call("POST /auth/login", { body: { email, password: `${password} stapler` } });
    await call("POST /auth/login", { body: { email, password, surprise: password } });
    await call("POST /auth/login", { body: `{"email":"${email}","password":"${password}"` });
    await call("POST /auth/refresh", { body: { refresh_token: login.body.data.refresh_token } });
    expect(printed).toHaveLength(6);
    const secrets = [email, password, "Quiet Person"];
    for (const { body } of [signup, login]) secrets.push(body.data.token, body.data.refresh_token);
    for (const secret of secrets) expect(held(secret)).toBe(false);
  });

  it("of a guest's cart", async () => {
    const { key } = await aKey();
    const token = `sfc_${"x".repeat(43)}`;
    await call("GET /cart", { as: key, headers: { "X-Cart-Token": token } });
    expect(held(token)).toBe(false);
  });

  it("of an agent's checkout", async () => {
    await openToAgents();
    const { id } = await aReadySession(await aProduct());
    await ask(`GET /checkout-sessions/${id}`);
    await complete(id);
    await ask(`GET /orders/${id}`);
    const paths = lines().flatMap(({ path }) => path ?? []);
    const session = "/ucp/v1/checkout-sessions";
    expect(paths).toEqual([session, `${session}/chk_…`, `${session}/chk_…/complete`, "/ucp/v1/orders/chk_…"]);
    expect(held(id)).toBe(false);
  });

  it.each(["D1_ERROR: Network connection lost.", "a bug"])("of a statement that failed with %s", async (fault) => {
    const user = await aUser();
    const email = "failing@shop.test";
    const address = { name: "Quiet Person", address: "1 Hidden Lane", city: "London", zip: "SW1Y 4JH" };
    const items = [{ product_id: 1, quantity: 1, price: 10 }];
    const order = { items, shipping_address: address, payment_method: "wallet" };
    for (const [line, body] of [
      ["POST /auth/login", { email, password }],
      ["POST /auth/signup", { email, password, name: "Quiet Person" }],
      ["POST /auth/refresh", { refresh_token: "sfr_quiet" }],
      ["PUT /account/profile", { name: "Quiet Person", email, current_password: password }],
      ["POST /orders", order],
    ] as const) {
      const as = line.includes("auth") ? undefined : user.token;
      const { status } = await callWith({ DB: faultyDatabase(fault) }, line, { as, body });
      expect(status).toBeGreaterThanOrEqual(500);
    }
    expect(printed).toHaveLength(10);
    for (const secret of [email, password, "Quiet Person", "Hidden Lane", "sfr_quiet", user.token, "INSERT"]) {
      expect(held(secret)).toBe(false);
    }
  });
});
