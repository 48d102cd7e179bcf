import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { licenseKeyText, readLicenseSecret } from "../../src/platform/auth/license-keys.ts";
import { policies } from "../../src/platform/rate-limit/policies.ts";
import { readSettings } from "../../src/platform/settings/settings.ts";
import { call, callWith } from "../support/call.ts";
import { counted } from "../support/counting.ts";
import { boughtGiftCards } from "../support/gift-cards.ts";
import { aLicenseKey, aListedGame, LICENSE, someKeys } from "../support/license-keys.ts";
import { LONG } from "../support/long.ts";
import { aKey, aProduct, aUser, db, orderOf } from "../support/shop.ts";

afterEach(() => void vi.useRealTimers());

/** Writes a key that the shop never issued, with the check that only its secret gives. */
async function neverIssued(prefix: string): Promise<string> {
  const secret = await readLicenseSecret({ db, settings: readSettings(env) });
  return licenseKeyText(secret, { prefix, nonce: "0123456789AB", uploaded: null });
}

async function aTestKey(): Promise<string> {
  const { key: as } = await aKey({ test: true });
  const product = await aProduct({ type: "digital", stock: null, price: 0, license: LICENSE });
  const customer = { email: "tess@example.test", name: "Tess" };
  const body = orderOf(product, 1, { payment_method: "test_card", customer });
  await call("POST /orders", { as, body });
  return (await call("GET /account/license-keys", { as })).body.data[0].key;
}

const aKeyText = async () => (await aLicenseKey()).key;

const withWrongCheck = (text: string): string => text.slice(0, -1) + (text.endsWith("7") ? "8" : "7");

/** Sends a request and returns the round trips to the database that it took, with its answer. */
async function watch(line: string, options: Parameters<typeof call>[1]) {
  const { bindings, trips } = counted();
  const answer = await callWith(bindings, line, options);
  return { trips: trips.d1, answer };
}

async function guess(license_key: string) {
  const { trips, answer } = await watch("POST /licenses/validate", { body: { license_key } });
  expect(answer.status).toBe(200);
  return [answer.body.data.code, trips];
}

describe("a license key", () => {
  it.each<[string, () => Promise<string>, string, number]>([
    ["that is wrong in its last digit", async () => withWrongCheck(await aKeyText()), "unknown", 0],
    ["of which only the beginning is known", async () => (await aKeyText()).slice(0, 19), "unknown", 0],
    ["that is too long", async () => `${await aKeyText()}7`, "unknown", 0],
    ["of zeros", async () => `FONT${"-0000".repeat(6)}`, "unknown", 0],
    ["that has a right check but was never issued", () => neverIssued("FONT"), "unknown", 1],
    ["that is the code of a gift card", async () => (await boughtGiftCards()).code, "unknown", 1],
    ["of a test order", aTestKey, "unknown", 1],
    ["in lower case, with spaces", async () => ` ${(await aKeyText()).toLowerCase().replaceAll("-", " ")}`, "valid", 1],
    ["with O for 0 and L for 1", async () => (await aKeyText()).replaceAll("0", "O").replaceAll("1", "l"), "valid", 1],
    ["with another prefix", async () => (await aKeyText()).replace("FONT", "GAME"), "valid", 1],
  ])("%s: costs no more than one read", async (_, text, code, trips) => {
    expect(await guess(await text())).toEqual([code, trips]);
  });

  it("names its product, so that software refuses the key of another one", async () => {
    const [one, other] = [await aKeyText(), await aKeyText()];
    const productOf = async (license_key: string) =>
      (await call("POST /licenses/validate", { body: { license_key } })).body.data.license_key.product_id;
    expect(await productOf(one)).not.toBe(await productOf(other));
  });

  it(
    "is guessed sixty times a minute from a network, whatever its addresses, and never reads the database",
    LONG,
    async () => {
      const text = await aKeyText();
      vi.useFakeTimers({ now: Date.now(), toFake: ["Date"] });
      const { bindings, trips } = counted();
      const statuses: number[] = [];
      for (let sent = 0; sent < 300; sent++) {
        const license_key = `${text.slice(0, -4)}${String(sent).padStart(4, "0")}`;
        const headers = { "CF-Connecting-IP": `2001:db8:9e55::${(sent + 1).toString(16)}` };
        const { status, body } = await callWith(bindings, "POST /licenses/validate", {
          body: { license_key },
          headers,
        });
        statuses.push(status);
        if (status === 200 && license_key !== text) expect(body.data.code).toBe("unknown");
      }
      expect(statuses.filter((status) => status === 200)).toHaveLength(policies["license-keys"].limit);
      expect(statuses.filter((status) => status === 429)).toHaveLength(300 - policies["license-keys"].limit);
      expect(trips.d1).toBe(0);
    },
  );
});

describe("the code of a gift card", () => {
  const cardCode = async () => (await boughtGiftCards()).code;

  it.each<[string, () => Promise<string>, number]>([
    ["that is wrong in its last digit", async () => withWrongCheck(await cardCode()), 0],
    ["of which only the beginning is known", async () => (await cardCode()).slice(0, 19), 0],
    ["that has a right check but was never issued", () => neverIssued("GIFT"), 1],
    ["that is a license key", aKeyText, 1],
  ])("%s: moves nothing and costs no more than one read", async (_, code, reads) => {
    const { token: as } = await aUser();
    const sent = { as, body: { code: await code() } };
    await call("GET /account/profile", { as });
    const { trips, answer } = await watch("POST /account/gift-cards/redeem", sent);
    expect([answer.status, answer.body.details[0].code]).toEqual([400, "unknown_gift_card"]);
    const { trips: signedIn } = await watch("POST /account/gift-cards/redeem", { as, body: {} });
    expect(trips - signedIn).toBe(reads);
    expect((await call("GET /account/transactions", { as })).body.data).toEqual([]);
  });
});

// From here on, a text can be an uploaded key, so the check alone refuses none.
describe("an uploaded key", () => {
  it.each<[string, (text: string) => string, string]>([
    ["by its first half", (text) => text.slice(0, text.length / 2), "unknown"],
    ["by all but its last digit", (text) => text.slice(0, -1), "unknown"],
    ["with another last digit", (text) => `${text.slice(0, -1)}x`, "unknown"],
    ["in upper case, without hyphens", (text) => text.toUpperCase().replaceAll("-", ""), "valid"],
  ])("is looked up by its whole text only: %s", async (_, typed, code) => {
    const [text = ""] = someKeys(1);
    const user = await aUser({ wallet: 1_000 });
    await call("POST /orders", { as: user.token, body: orderOf(await aListedGame([text])) });
    expect(await guess(typed(text))).toEqual([code, 1]);
  });

  it("is unknown until it is sold", async () => {
    const [text = ""] = someKeys(1);
    await aListedGame([text]);
    expect(await guess(text)).toEqual(["unknown", 1]);
  });
});
