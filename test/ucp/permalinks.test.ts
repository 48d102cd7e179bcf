import { desc } from "drizzle-orm";
import { beforeAll, expect, it } from "vitest";
import { checkoutSessions } from "../../src/platform/db/schema.ts";
import { call, callWith } from "../support/call.ts";
import { aDiscount, settleShop } from "../support/pricing.ts";
import { aProduct, db } from "../support/shop.ts";
import { openToAgents } from "./agent.ts";

// Links that begin a checkout in a browser.

beforeAll(openToAgents);

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
