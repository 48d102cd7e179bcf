import { env } from "cloudflare:workers";
import { desc } from "drizzle-orm";
import { beforeEach, expect, it } from "vitest";
import { checkoutSessions, orders } from "../../src/platform/db/schema.ts";
import { call, callWith } from "../support/call.ts";
import { aVisitor, fieldsOf } from "../support/panel.ts";
import { aDiscount, aShippingMethod, noRules, settleShop } from "../support/pricing.ts";
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

// Links that begin a checkout in a browser.

/** Follows a link up to its redirect. */
async function open(link: string) {
  const { status, headers, body } = await callWith({}, `GET https://shop.test/ucp/buy${link}`);
  const shown = ["Location", "Cache-Control", "Referrer-Policy"].map((name) => headers.get(name));
  return { status, headers: shown, body, page: headers.get("Location") ?? "" };
}

const contents = async () =>
  (await db.select().from(checkoutSessions).orderBy(desc(checkoutSessions.id))).map(({ content }) => content);

it("opens the shop's page with the items, the code and what is known of the buyer", async () => {
  const [one, two] = [await aProduct({ name: "Lamp" }), await aProduct({ name: "Shade" })];
  const { code } = await aDiscount({ code: `LINK-${one.id}` });
  const items = `${one.id}:2,~${Buffer.from(String(two.id)).toString("base64url")}:1`;
  const fields = `?discounts/codes/0=${code}&/buyer/email=ada%40example.test&context/postal_code=BS1&utm_source=mail&totals=0&line_items/0/quantity=5`;
  const { status, headers, page } = await open(`/${items}${fields}`);
  const location = expect.stringMatching(/^https:\/\/shop\.test\/account\/checkout\?token=[\w.-]+$/);
  expect([status, headers]).toEqual([303, [location, "no-store", "no-referrer"]]);
  const [content] = await contents();
  expect(content).toMatchObject({
    items: [
      { product_id: one.id, quantity: 2 },
      { product_id: two.id, quantity: 1 },
    ],
    buyer: { email: "ada@example.test" },
    place: { zip: "BS1" },
    discount_codes: [code],
  });
  const shown = (await call(`GET ${page}`)).body;
  for (const text of ["Lamp", "Shade", "ada@example.test"]) expect(shown).toContain(text);
});

it("leaves out fields that are invalid, and those that only the shop sets", async () => {
  const { id } = await aProduct();
  const { status } = await open(
    `/${id}:1?buyer/email=${"x".repeat(300)}&buyer/consent=all&order/id=1&status=completed`,
  );
  expect([status, (await contents())[0]]).toMatchObject([303, { items: [{ product_id: id }], buyer: {} }]);
});

it("leads nowhere else, and stores nothing, without items that can be bought", async () => {
  const { id } = await aProduct();
  const before = await contents();
  const twice = "?buyer/email=a%40b.test&%2Fbuyer%2Femail=c%40d.test";
  const wrong = [
    "",
    "?continue_to=//evil.example",
    `/${id}:0`,
    `/${id}`,
    `/${id}:1${twice}`,
    "/~MQ:1,x",
    "/~MR:1",
    "/999999:1",
  ];
  for (const link of wrong) expect([link, (await open(link)).status]).toEqual([link, 404]);
  expect(await contents()).toEqual(before);
});

it("is announced by the version that has permalinks, and ends with the shop's access for agents", async () => {
  const profile = (await call("GET /.well-known/ucp")).body;
  expect(profile.ucp.capabilities["dev.ucp.shopping.permalink"]).toEqual([
    {
      version: "2026-08-25",
      spec: "https://ucp.dev/2026-08-25/specification/permalink",
      schema: "https://ucp.dev/2026-08-25/schemas/shopping/permalink.json",
      config: { endpoint: "https://shop.test/ucp/buy" },
    },
  ]);
  const older = (await call("GET /.well-known/ucp/2026-04-08")).body;
  expect(older.ucp.capabilities).not.toHaveProperty("dev.ucp.shopping.permalink");
  const { id } = await aProduct();
  const before = await contents();
  // A browser proves no agent, so a shop that wants to know its agents has no permalinks.
  for (const agentAccess of ["off", "listed", "signed"] as const) {
    await settleShop({ agentAccess });
    expect([agentAccess, (await open(`/${id}:1`)).status]).toEqual([agentAccess, 404]);
    const shown = JSON.stringify((await call("GET /.well-known/ucp")).body);
    expect([agentAccess, shown.includes("permalink")]).toEqual([agentAccess, false]);
  }
  expect(await contents()).toEqual(before);
});
