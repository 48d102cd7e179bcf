import { env } from "cloudflare:workers";
import { beforeEach, expect, it } from "vitest";
import { orders } from "../../src/platform/db/schema.ts";
import { call } from "../support/call.ts";
import { aVisitor, fieldsOf } from "../support/panel.ts";
import { aShippingMethod, noRules, settleShop } from "../support/pricing.ts";
import { asAdministrator } from "../support/settings.ts";
import { aProduct, db } from "../support/shop.ts";
import { aBuyer, aReadySession, ask, complete, deliveredTo, linesOf, openToAgents, paidBy } from "./agent.ts";
import { UcpCheckout } from "./shapes.ts";

const write = async (path: string, title: string, text = "Text") =>
  Number(
    (await call(`PUT /admin/pages/${path}`, { as: await asAdministrator(), body: { title, text } })).body.data.version,
  );

const NEWER = { "UCP-Agent": `profile="${env.STRIPE_API_URL}/shoppers/2026-08-25.json"` };

beforeEach(async () => {
  await noRules();
  await openToAgents();
  await aShippingMethod({ name: "Post", price: 500 });
});

it("links a checkout to the shop's pages, by the types that agents know", async () => {
  const version = await write("returns/en", "Returns");
  await write("imprint/en", "Imprint");
  const { id, links } = UcpCheckout.parse(await aReadySession(await aProduct()));
  const types = links.map(({ type, title }) => [type, title]);
  expect(types).toEqual([
    ["imprint", "Imprint"],
    ["refund_policy", "Returns"],
  ]);
  expect(links[1]?.url).toBe(`https://shop.test/account/pages/returns?version=${version}`);
  expect(UcpCheckout.parse((await complete(id)).body).links).toEqual(links);
});

it("publishes the page about returns as a policy, in the version that has policies", async () => {
  const version = await write("returns/en", "Returns");
  const product = await aProduct();
  const url = `https://shop.test/account/pages/returns?version=${version}`;
  const policies = [{ type: "dev.ucp.shopping.policy.return", description: { plain: "Returns" }, url }];
  const body = { line_items: linesOf(product), buyer: aBuyer(), fulfillment: deliveredTo() };
  const newer = await ask("POST /checkout-sessions", { body, headers: NEWER });
  expect(newer.body.policies).toEqual(policies);
  const done = await complete(newer.body.id, paidBy(), { headers: NEWER });
  expect([done.body.status, done.body.policies]).toEqual(["completed", policies]);
  expect((await ask("POST /checkout-sessions", { body })).body.policies).toBeUndefined();
});

it("stores the version of the terms that a completed checkout linked to", async () => {
  const version = await write("terms/en", "Terms");
  await settleShop({ termsRequired: true });
  const { id, links } = UcpCheckout.parse(await aReadySession(await aProduct()));
  expect(links).toContainEqual({
    type: "terms_of_service",
    url: `https://shop.test/account/pages/terms?version=${version}`,
    title: "Terms",
  });
  expect(UcpCheckout.parse((await complete(id)).body).status).toBe("completed");
  const { body } = await ask(`GET /checkout-sessions/${id}`);
  expect(UcpCheckout.parse(body).status).toBe("completed");
  expect((await db.select().from(orders)).at(-1)?.acceptedTerms).toBe(version);
});

it("shows changed terms before it orders, and stores those that it showed", async () => {
  await settleShop({ termsRequired: true });
  await write("terms/en", "Terms");
  const { id } = UcpCheckout.parse(await aReadySession(await aProduct()));
  const version = await write("terms/en", "Terms", "Other text");
  const asked = UcpCheckout.parse((await complete(id)).body);
  expect([asked.status, asked.messages?.map(({ code, path }) => [code, path])]).toEqual([
    "incomplete",
    [["terms_changed", "$.links"]],
  ]);
  expect(asked.links[0]?.url).toBe(`https://shop.test/account/pages/terms?version=${version}`);
  const done = UcpCheckout.parse((await complete(id)).body);
  expect(done.status).toBe("completed");
  expect((await db.select().from(orders)).at(-1)?.acceptedTerms).toBe(version);
});

it("asks the buyer who finishes a checkout on its page to accept the terms that the page names", async () => {
  const version = await write("terms/en", "Terms of the page");
  await settleShop({ termsRequired: true });
  const { continue_url: url } = UcpCheckout.parse(await aReadySession(await aProduct({ price: 2_000 })));
  const visitor = aVisitor();
  const path = (url ?? "").slice("https://shop.test".length);
  const opened = await visitor.get(path);
  expect(opened.html).toContain(`name="accepted_terms" value="${version}" required`);
  const { accepted_terms: _, ...typed } = fieldsOf(opened, "/account/checkout");
  const form = { ...typed, "shipping_address.country": "GB", payment_method: "bank_transfer" };
  const refused = await visitor.post("/account/checkout", form);
  expect([refused.status, refused.html.includes("Show the buyer the terms")]).toEqual([400, true]);
  expect((await visitor.post("/account/checkout", { ...form, accepted_terms: String(version) })).status).toBe(303);
  expect((await db.select().from(orders)).at(-1)?.acceptedTerms).toBe(version);
});
