import { Webhook } from "standardwebhooks";
import { expect, it } from "vitest";
import { newSecret, signedHeaders } from "../../../../src/integrations/webhooks/secrets.ts";

const body = '{"type":"order.paid","timestamp":"2026-11-22T12:00:00.000Z","data":{"name":"Zoë"}}';

it("makes secrets of 32 random bytes", () => {
  const secrets = Array.from({ length: 100 }, newSecret);
  expect(new Set(secrets).size).toBe(100);
  for (const secret of secrets) expect(secret).toMatch(/^whsec_[\w+/]{43}=$/);
});

it("signs what the Standard Webhooks library verifies", () => {
  const secret = newSecret();
  const headers = signedHeaders([secret], "evt_1", body, Date.now());
  expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
  expect(() => new Webhook(newSecret()).verify(body, headers)).toThrow();
  expect(() => new Webhook(secret).verify(`${body} `, headers)).toThrow();
  expect(() => new Webhook(secret).verify(body, { ...headers, "webhook-id": "evt_2" })).toThrow();
});

it("signs with both secrets while they rotate", () => {
  const [newer, older] = [newSecret(), newSecret()];
  const headers = signedHeaders([newer, older], "evt_1", body, Date.now());
  for (const secret of [newer, older]) expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
});

it("signs the time of the attempt, in seconds", () => {
  expect(signedHeaders([newSecret()], "evt_1", body, 1_800_000_000_999)["webhook-timestamp"]).toBe("1800000000");
});

it("signs the specification's example as it does", () => {
  const [secret, payload] = ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", '{"test": 2432232314}'];
  const headers = signedHeaders([secret], "msg_p5jXN8AQM9LWM0D4loKWxJek", payload, 1_614_265_330_000);
  expect(headers["webhook-signature"]).toBe("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
});
