import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, it } from "vitest";
import { orders } from "../../src/platform/db/schema.ts";
import { script } from "../payments/support/stand-in.ts";
import { stripeAccount } from "../payments/support/stripe.ts";
import { call } from "../support/call.ts";
import { aShippingMethod } from "../support/pricing.ts";
import { aProduct, db } from "../support/shop.ts";
import { aBuyer, ask, DESTINATION, deliveredTo, linesOf, openToAgents, paidBy } from "./agent.ts";

// The versions of the protocol, each chosen by the profile of the agent.

const [APRIL, AUGUST] = ["2026-04-08", "2026-08-25"] as const;

const STRIPE = { ...stripeAccount("versions"), STRIPE_PROFILE_ID: "profile_test_versions" };

beforeAll(async () => {
  await openToAgents();
  await aShippingMethod({ name: "Post", price: 500, minDays: 1, maxDays: 2 });
});

const asAgentOf = (version: string) => ({ "UCP-Agent": `profile="${env.STRIPE_API_URL}/shoppers/${version}.json"` });

const asking = (version: string) => async (line: string, body?: object, bindings?: Partial<Env>) =>
  (await ask(line, { body, headers: asAgentOf(version), ...(bindings && { bindings }) })).body;

describe("the profile", () => {
  it("is of the newest version and names the older ones, each with a profile of its own", async () => {
    const { body } = await call("GET https://shop.test/.well-known/ucp");
    const older = `https://shop.test/.well-known/ucp/${APRIL}`;
    expect(body.ucp).toMatchObject({ version: AUGUST, supported_versions: { [APRIL]: older } });
    const leaf = (await call(`GET ${older}`)).body;
    expect(leaf.ucp.version).toBe(APRIL);
    expect(leaf.ucp.supported_versions).toBeUndefined();
    for (const { ucp, keys, signing_keys } of [body, leaf]) {
      expect(keys).toEqual(signing_keys);
      expect(keys[0]).toMatchObject({ kty: "EC", crv: "P-256" });
      const entries = [
        ...Object.values<{ version: string }[]>(ucp.capabilities),
        ...Object.values(ucp.services),
      ].flat();
      for (const entry of entries) expect(entry).toMatchObject({ version: ucp.version });
    }
    expect((await call("GET https://shop.test/.well-known/ucp/2026-01-23")).status).toBe(404);
  });
});

describe("an agent of another version", () => {
  it("is refused with the versions that the shop speaks", async () => {
    const refused = await ask("POST /carts", { headers: asAgentOf("2026-01-23"), body: {} });
    expect([refused.status, refused.body.code]).toEqual([422, "version_unsupported"]);
    for (const version of [APRIL, AUGUST]) expect(refused.body.content).toContain(version);
  });
});

describe.each([APRIL, AUGUST])("an agent of %s", (version) => {
  const send = asking(version);

  it("gets its version in every answer, problems included", async () => {
    const product = await aProduct();
    const cart = await send("POST /carts", { line_items: linesOf(product) });
    const bodies = [
      cart,
      await send(`PUT /carts/${cart.id}`, { line_items: linesOf(product, 2) }),
      await send("POST /carts", { line_items: [] }),
      await send("GET /carts/cart_nothing"),
      await send("POST /catalog/search", { query: product.name }),
    ];
    expect(bodies.map(({ ucp }) => ucp.version)).toEqual(bodies.map(() => version));
  });

  it("keeps a destination that an update selects by its id, and reports one that is unknown", async () => {
    const line_items = linesOf(await aProduct());
    const fulfillment = deliveredTo({ ...DESTINATION, id: "home" });
    const { id } = await send("POST /checkout-sessions", { line_items, buyer: aBuyer(), fulfillment });
    const select = (selected_destination_id: string) =>
      send(`PUT /checkout-sessions/${id}`, {
        line_items,
        fulfillment: { methods: [{ type: "shipping", line_item_ids: [], selected_destination_id }] },
      });
    const [method] = (await select("home")).fulfillment.methods;
    expect(method.destinations).toMatchObject([{ ...DESTINATION, id: "home" }]);
    const refused = await select("office");
    expect(refused.messages).toMatchObject([
      { code: "not_found", path: "$.fulfillment.methods[0].selected_destination_id", severity: "recoverable" },
    ]);
    for (const shown of [refused, await send(`GET /checkout-sessions/${id}`)]) {
      expect(shown.fulfillment.methods[0]).toEqual(method);
    }
  });
});

it("writes destinations, options, consents and catalogues as each version does", async () => {
  const product = await aProduct({ name: "Kettle of two versions" });
  const sessionAt = async (version: string, consent: object) =>
    asking(version)("POST /checkout-sessions", {
      line_items: linesOf(product),
      buyer: { ...aBuyer(), consent },
      fulfillment: deliveredTo(),
    });
  const searchAt = async (version: string) =>
    (await asking(version)("POST /catalog/search", { query: product.name })).products[0].variants[0];
  const april = await sessionAt(APRIL, { marketing: true, sale_of_data: false });
  expect(april.buyer.consent).toEqual({ marketing: true, sale_of_data: false });
  expect(april.fulfillment.methods[0]).toMatchObject({
    destinations: [expect.not.objectContaining({ type: expect.anything() })],
    groups: [{ options: [{ description: "Takes 1 to 2 days" }] }],
  });
  expect((await searchAt(APRIL)).fulfillment).toBeUndefined();
  const sms = { "dev.ucp.consent.marketing.sms": { granted: true, source: "platform" } };
  const august = await sessionAt(AUGUST, {
    "dev.ucp.consent.marketing": { granted: false, source: "business", segments: sms },
    "com.example.loyalty": { granted: true, source: "platform" },
  });
  expect(august.buyer.consent).toMatchObject({
    "dev.ucp.consent.marketing": {
      granted: false,
      source: "business",
      description: "Marketing messages",
      segments: { "dev.ucp.consent.marketing.sms": { granted: true, description: "Marketing by text message" } },
    },
    "com.example.loyalty": { granted: true, source: "platform", description: expect.stringMatching(/./) },
  });
  expect(august.fulfillment.methods[0]).toMatchObject({
    destinations: [{ type: "shipping_address", id: expect.any(String) }],
    groups: [{ options: [{ description: { plain: "Takes 1 to 2 days" } }] }],
  });
  expect((await searchAt(AUGUST)).fulfillment).toEqual({
    methods: [{ type: "shipping", availability: { available: true, status: "in_stock" } }],
  });
});

it("shows the order of a payment in progress in the older version only", async () => {
  const completeAt = async (version: string) => {
    const send = asking(version);
    const content = { line_items: linesOf(await aProduct()), buyer: aBuyer(), fulfillment: deliveredTo() };
    const { id } = await send("POST /checkout-sessions", content, STRIPE);
    await script({ line: "POST /v1/payment_intents/", about: "/capture", status: 500, times: 2 });
    const paid = paidBy(`spt_${version}`, "stripe_payments");
    return { id, waiting: await send(`POST /checkout-sessions/${id}/complete`, paid, STRIPE) };
  };
  const { waiting } = await completeAt(APRIL);
  expect([waiting.status, waiting.order?.label]).toEqual(["complete_in_progress", expect.any(String)]);
  const { id, waiting: later } = await completeAt(AUGUST);
  expect([later.status, later.order]).toEqual(["complete_in_progress", undefined]);
  await asking(AUGUST)(`POST /checkout-sessions/${id}/complete`, paidBy("spt_again", "stripe_payments"), STRIPE);
  const done = await asking(AUGUST)(`GET /checkout-sessions/${id}`);
  expect(done.status).toBe("completed");
  expect(await db.$count(orders, eq(orders.number, done.order.label))).toBe(1);
});
