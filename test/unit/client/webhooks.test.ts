import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { verifyWebhook, WebhookVerificationError } from "../../../src/client/index.ts";
import { newSecret, signedHeaders } from "../../../src/integrations/webhooks/secrets.ts";

const event = { type: "product.updated", timestamp: "2026-11-22T12:00:00.000Z", data: { product_id: 7, name: "Zoë" } };
const body = JSON.stringify(event);
const secret = newSecret();
const at = (seconds: number) => Date.now() + seconds * 1000;
const signed = (now = at(0)) => signedHeaders([secret], "evt_12", body, now);

it("returns the signed event, from any server's request", async () => {
  const expected = { id: "evt_12", ...event };
  expect(await verifyWebhook(body, signed(), secret)).toEqual(expected);
  expect(await verifyWebhook(body, new Headers(signed()), secret)).toEqual(expected);
  expect(await verifyWebhook(Buffer.from(body), { host: "x", cookie: ["a"], ...signed() }, [secret])).toEqual(expected);
  const capitals = Object.fromEntries(Object.entries(signed()).map(([name, value]) => [name.toUpperCase(), value]));
  expect(await verifyWebhook(new TextEncoder().encode(body), capitals, secret)).toEqual(expected);
});

it("accepts signatures of the Standard Webhooks library", async () => {
  const now = new Date();
  const headers = {
    "webhook-id": "evt_12",
    "webhook-timestamp": String(Math.floor(now.getTime() / 1000)),
    "webhook-signature": new Webhook(secret).sign("evt_12", now, body),
  };
  expect(await verifyWebhook(body, headers, secret)).toMatchObject(event);
});

it("accepts any of the secrets and any of the signatures while a secret rotates", async () => {
  const newer = newSecret();
  const both = signedHeaders([newer, secret], "evt_12", body, Date.now());
  for (const known of [newer, secret]) expect(await verifyWebhook(body, both, known)).toMatchObject(event);
  expect(await verifyWebhook(body, signed(), [newer, secret])).toMatchObject(event);
  expect(
    await verifyWebhook(
      body,
      { ...both, "webhook-signature": `v2,eA== v1a,eA== ${both["webhook-signature"]}` },
      secret,
    ),
  ).toMatchObject(event);
});

const refused = (...request: Parameters<typeof verifyWebhook>) =>
  expect(verifyWebhook(...request)).rejects.toThrow(WebhookVerificationError);

it("refuses a body with any byte changed", async () => {
  const bytes = new TextEncoder().encode(body);
  for (const index of bytes.keys()) {
    const changed = bytes.with(index, (bytes[index] ?? 0) ^ 1);
    await refused(changed, signed(), secret);
  }
  await refused(`${body} `, signed(), secret);
  await refused("", signed(), secret);
});

describe("refuses", () => {
  it("a signature by another secret", () => refused(body, signed(), newSecret()));
  it("a check without a secret", () => refused(body, signed(), []));
  it("another id", () => refused(body, { ...signed(), "webhook-id": "evt_13" }, secret));

  it("another time, even a recent one", () =>
    refused(body, { ...signed(at(-10)), "webhook-timestamp": String(Math.floor(at(0) / 1000)) }, secret));

  it("an old signature, and one from the future", async () => {
    await refused(body, signed(at(-302)), secret);
    await refused(body, signed(at(302)), secret);
    expect(await verifyWebhook(body, signed(at(-298)), secret)).toMatchObject(event);
    expect(await verifyWebhook(body, signed(at(298)), secret)).toMatchObject(event);
    expect(await verifyWebhook(body, signed(at(-900)), secret, { toleranceSeconds: 1000 })).toMatchObject(event);
    await refused(body, signed(at(-12)), secret, { toleranceSeconds: 10 });
  });

  it.each(["webhook-id", "webhook-timestamp", "webhook-signature"])("a request without %s", async (name) => {
    await refused(body, { ...signed(), [name]: undefined }, secret);
    await refused(body, { ...signed(), [name]: "" }, secret);
    await refused(body, { ...signed(), [name]: ["one", "two"] }, secret);
  });

  it.each(["", "soon", "1e9", "-1", "12.5", " 1", "0x10", "9999999999999"])("the timestamp %j", (timestamp) =>
    refused(body, { ...signed(), "webhook-timestamp": timestamp }, secret),
  );

  it.each(["v1", "v1,", "v1,%%%", "v2,", ",", " ", "v1,eA=="])("the signature %j", (signature) =>
    refused(body, { ...signed(), "webhook-signature": signature }, secret),
  );

  it("a signature whose version is another", () =>
    refused(body, { ...signed(), "webhook-signature": signed()["webhook-signature"].replace("v1,", "v2,") }, secret));
});

it.each(["", "whsec_", "whsec_%%%", "secret"])("does not accept %j as a secret", async (wrong) => {
  await expect(verifyWebhook(body, signed(), wrong)).rejects.toThrow(TypeError);
});
