import { eq } from "drizzle-orm";
import { beforeEach, expect, it } from "vitest";
import { users } from "../../src/platform/db/schema.ts";
import { call } from "../support/call.ts";
import { anAdministrator } from "../support/panel.ts";
import { aDiscount, aRate, aShippingMethod, aZone, noRules, settleShop } from "../support/pricing.ts";
import { aProduct, aUser, db, orderOf } from "../support/shop.ts";

beforeEach(noRules);

const textOf = (html = "") =>
  html
    .replaceAll(/<[^>]+>/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();

/** A paid order's page in the panel, and the sales page. */
async function pages(more: object = {}, taxExemptReason: string | null = null) {
  const buyer = await aUser({ wallet: 100_000 });
  await db.update(users).set({ taxExemptReason }).where(eq(users.id, buyer.id));
  const body = { ...orderOf(await aProduct({ price: 11_900 })), ...more };
  const { id } = (await call("POST /orders", { as: buyer.token, body })).body.data;
  const admin = await anAdministrator();
  return {
    show: async () => {
      const { html } = await admin.get(`/admin/orders/${id}`);
      const total = html.split('<dl class="total">')[1]?.split("</dl>")[0];
      const line = html.split('aria-label="Items"')[1]?.split("</table>")[0]?.split("</small>").slice(1).join("");
      return { total: textOf(total), line: textOf(line) };
    },
    sales: async () => textOf((await admin.get("/admin/sales")).html.split('<dl class="facts">')[1]?.split("</dl>")[0]),
    refund: async () => {
      const as = (await aUser({ role: "admin" })).token;
      await call(`POST /admin/orders/${id}/refunds`, { as, body: { amount: 119 } });
    },
  };
}

it("shows only the total of an order without shipping, tax and discounts", async () => {
  const { show, refund } = await pages();
  expect(await show()).toEqual({ total: "Total $119.00", line: "$119.00 × 1 $119.00" });
  await refund();
  expect((await show()).total).toBe("Total $119.00 Refunded -$119.00 Total after refunds $0.00");
});

it("shows the parts of a total, with included tax and refunds", async () => {
  await settleShop({ homeCountry: "DE", pricesIncludeTax: true });
  await aShippingMethod({ zoneId: (await aZone({ restOfWorld: true })).id, name: "Post", price: 490 });
  await aRate({ name: "MwSt.", rate: 190_000 });
  const { code } = await aDiscount({ name: "Spring", percent: 100_000 });
  const { show, sales } = await pages({ discount_codes: [code] });
  expect(await show()).toEqual({
    total: `Subtotal before discounts $119.00 Spring (${code}) -$11.90 Shipping: Post $4.90 Total $112.00 Includes MwSt. 19 % $17.88`,
    line: "$119.00 × 1 -$11.90 $107.10 includes tax of $17.10",
  });
  expect(await sales()).toMatch(/Shipping \$4\.12 Tax \$17\.88 .*Discounts given \$11\.90/);
});

it("shows tax added on top, and the reason for an exemption", async () => {
  await settleShop({ homeCountry: "DE", pricesIncludeTax: false });
  await aRate({ name: "MwSt.", rate: 190_000 });
  expect((await (await pages()).show()).total).toBe("Subtotal $119.00 MwSt. 19 % $22.61 Total $141.61");
  const exempt = await pages({}, "Embassy <1>");
  expect((await exempt.show()).total).toBe("Total $119.00 Exempt from tax Embassy &lt;1&gt;");
});
