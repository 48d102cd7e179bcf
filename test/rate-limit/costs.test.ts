import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { anAccount, PASSWORD } from "../support/accounts.ts";
import { anAddress, call } from "../support/call.ts";
import { countObjectCosts, type ObjectCosts } from "../support/object-costs.ts";
import { aDiscount } from "../support/pricing.ts";
import { aKey, aProduct, aUser, onPurpose, orderOf } from "../support/shop.ts";

// `docs/scale.md` multiplies these figures by the prices of the platform.

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
});

afterEach(() => {
  vi.useRealTimers();
});

type Send = () => Promise<unknown>;

const from = (address: string) => ({ "CF-Connecting-IP": address });

async function order(address: string): Promise<Send> {
  const [{ token }, product] = [await aUser({ wallet: 100_000 }), await aProduct()];
  return () => call("POST /orders", { as: token, body: orderOf(product), headers: from(address) });
}

async function orderWithCode(): Promise<Send> {
  const [{ token }, product] = [await aUser({ wallet: 100_000 }), await aProduct()];
  const { code } = await aDiscount({ kind: "percentage", percent: 10_000 });
  const body = { ...orderOf(product), discount_codes: [code], expected_total: product.price * 0.9 };
  return () => call("POST /orders", { as: token, body, headers: { ...from("192.0.2.3"), ...onPurpose() } });
}

/** Requests of a shopper, one after the other. */
async function visits(count: number, gapMs: number): Promise<Send> {
  const { token } = await aUser();
  const address = anAddress();
  return async () => {
    for (let sent = 0; sent < count; sent++) {
      await call("GET /products", { as: token, headers: from(address) });
      vi.setSystemTime(Date.now() + gapMs);
    }
  };
}

async function requestsOfKey(tier: "standard" | "premium", count: number, gapMs: number): Promise<Send> {
  const { key } = await aKey({ tier });
  return async () => {
    for (let sent = 0; sent < count; sent++) {
      await call("GET /nothing", { as: key });
      vi.setSystemTime(Date.now() + gapMs);
    }
  };
}

async function login(): Promise<Send> {
  const { email } = await anAccount();
  return () => call("POST /auth/login", { body: { email, password: PASSWORD }, headers: from("192.0.2.4") });
}

it.each<[name: string, prepare: () => Promise<Send>, costs: ObjectCosts]>([
  ["an order by a shopper", () => order("192.0.2.1"), { requests: 2, alarms: 2, rows: 4, waitedMs: 0 }],
  ["an order from IPv6", () => order("3fff:c05:1::9"), { requests: 2, alarms: 2, rows: 4, waitedMs: 0 }],
  ["an order with a discount code", orderWithCode, { requests: 4, alarms: 3, rows: 7, waitedMs: 0 }],
  ["a login", login, { requests: 3, alarms: 2, rows: 7, waitedMs: 0 }],
  [
    "five requests of a shopper within a second",
    () => visits(5, 200),
    { requests: 10, alarms: 4, rows: 16, waitedMs: 0 },
  ],
  [
    "five requests of a shopper in a minute",
    () => visits(5, 15_000),
    { requests: 10, alarms: 2, rows: 18, waitedMs: 0 },
  ],
  ["one request of a key", () => requestsOfKey("standard", 1, 0), { requests: 4, alarms: 5, rows: 12, waitedMs: 0 }],
  [
    "500 requests of a premium key at its full rate",
    () => requestsOfKey("premium", 500, 60),
    { requests: 503, alarms: 7, rows: 31, waitedMs: 0 },
  ],
])("%s costs objects no more rows, alarms and waiting than the documentation says", async (_, prepare, costs) => {
  const send = await prepare();
  expect(await countObjectCosts(send)).toEqual(costs);
});
