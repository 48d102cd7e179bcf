import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { callWith, ORIGIN } from "../support/call.ts";
import { faultyDatabase } from "../support/faulty.ts";
import { aRefusal } from "../support/refusal.ts";
import { ADDRESS, aFile, aKey, aUser } from "../support/shop.ts";

const items = [{ product_id: 1, quantity: 1, price: 10 }];

/** Routes that read the database, each with a permitted caller. */
const routes: [line: string, as: "user" | "key" | "nobody", body?: unknown][] = [
  ["GET /products", "key"],
  ["GET /products?search=SQLITE_ERROR", "user"],
  ["GET /products/1", "user"],
  ["POST /orders", "user", { items, payment_method: "wallet", shipping_address: ADDRESS }],
  ["POST /orders", "key", { items, payment_method: "paypal", shipping_address: ADDRESS }],
  ["GET /account/orders", "user"],
  ["GET /account/orders/1", "key"],
  ["GET /account/transactions", "user"],
  ["POST /auth/signup", "nobody", { email: "out-of-reach@shop.test", password: "correct horse", name: "New" }],
  ["POST /auth/login", "nobody", { email: "out-of-reach@shop.test", password: "correct horse" }],
  ["POST /auth/refresh", "nobody", { refresh_token: "sfr_any" }],
  ["POST /auth/logout", "nobody", { refresh_token: "sfr_any" }],
  ["POST /auth/logout", "user", {}],
  ["GET /account/profile", "user"],
  ["PUT /account/profile", "user", { name: "New" }],
  ["GET /files", "nobody"],
  ["GET /download-file?file_id=1", "user"],
  ["GET /cart", "user"],
  ["POST /cart", "key", { product_id: 1 }],
  ["PUT /cart/items/1", "user", { quantity: 1 }],
  ["DELETE /cart/items/1", "user"],
  ["DELETE /cart", "user"],
];

async function askWithout(DB: D1Database, line: string, as: "user" | "key" | "nobody", body: unknown) {
  const credential = {
    user: async () => (await aUser()).token,
    key: async () => (await aKey()).key,
    nobody: () => undefined,
  };
  return callWith({ DB }, line, { as: await credential[as](), body });
}

describe.each(routes)("%s as %s", (line, as, body) => {
  it.each(["D1_ERROR: Network connection lost.", "D1_ERROR: Internal error in D1 storage caused object to be reset."])(
    "is 503 with the time to retry while the database is down (%s)",
    async (fault) => {
      const answer = await askWithout(faultyDatabase(fault), line, as, body);
      expect(answer.status).toBe(503);
      expect(answer.body).toEqual(aRefusal("service_unavailable", expect.stringMatching(/Try again/)));
      expect(Number(answer.headers.get("Retry-After"))).toBeGreaterThan(0);
      expect(answer.headers.get("Cache-Control")).toBe("no-store");
      expect(answer.headers.get("Access-Control-Allow-Origin")).toBe("*");
    },
  );

  it.each(["secret cause: a bug", "D1_ERROR: no such column: secret cause: SQLITE_ERROR"])(
    "is 500 without its cause for an internal error (%s)",
    async (fault) => {
      const answer = await askWithout(faultyDatabase(fault), line, as, body);
      expect(answer.status).toBe(500);
      expect(answer.body).toEqual(aRefusal("internal_error"));
      expect(answer.headers.get("Retry-After")).toBeNull();
      expect(JSON.stringify([answer.body, ...answer.headers])).not.toMatch(/secret|cause|SQLITE|D1_|select|insert/i);
    },
  );
});

it("answers /health and the public keys while the database is down", async () => {
  const bindings = { DB: faultyDatabase("D1_ERROR: Network connection lost.") };
  for (const path of ["/health", "/.well-known/jwks.json"]) {
    expect((await callWith(bindings, `GET ${ORIGIN}${path}`)).status).toBe(200);
  }
});

it("tells a counted caller the remaining quota even after an internal error", async () => {
  for (const fault of ["secret cause", "D1_ERROR: Network connection lost."]) {
    const { headers } = await askWithout(faultyDatabase(fault), "GET /products", "key", undefined);
    expect(headers.get("X-RateLimit-Remaining")).toBe("99");
  }
});

describe("a file whose bytes", () => {
  const bucketThat = (get: () => Promise<R2ObjectBody | null>) => ({ ...env.FILES, get }) as R2Bucket;

  it("cannot be reached is 503", async () => {
    const file = await aFile();
    const FILES = bucketThat(async () => {
      throw new Error("get: We encountered an internal error. Please try again. (10001)");
    });
    const answer = await callWith({ FILES }, `GET /download-file?file_id=${file.id}`);
    expect([answer.status, answer.body.errors]).toEqual([503, {}]);
    expect(Number(answer.headers.get("Retry-After"))).toBeGreaterThan(0);
  });

  it("are missing is 500 and does not name their location", async () => {
    const file = await aFile();
    const answer = await callWith({ FILES: bucketThat(async () => null) }, `GET /download-file?file_id=${file.id}`);
    expect(answer.status).toBe(500);
    expect(JSON.stringify(answer.body)).not.toContain(file.r2Key);
  });
});
