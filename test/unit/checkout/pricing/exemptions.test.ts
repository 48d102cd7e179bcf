import { describe, expect, it } from "vitest";
import { priceBasket } from "../../../../src/checkout/pricing/price.ts";
import type { Basket, Line, Rules } from "../../../../src/checkout/pricing/types.ts";
import { exemptionWords } from "../../../../src/checkout/taxes/exemption-words.ts";
import { item, post, rate, sentTo, taxAdded, taxIncluded } from "../../../support/tax-shops.ts";

const shop = (change: Partial<Rules> = {}): Rules => ({
  ...taxIncluded("DE", [rate("USt", 19), rate("USt", 7, { taxClass: "reduced" })], 1190),
  vatId: "DE123456789",
  ...change,
});

const service = (price: number): Line => item(price, "standard", { type: "service", requiresShipping: false });

/** Total, tax and exemptions of a basket that a business pays. */
function priced(rules: Rules, where: string, lines: Line[], basket: Partial<Basket> = {}) {
  const country = where.slice(0, 2);
  const { total, taxTotal, taxLines } = priceBasket(rules, {
    ...{ ...sentTo(where, lines), billTo: { country, region: null }, vatCountry: country },
    ...basket,
  });
  return { total, taxTotal, exemptions: taxLines.flatMap(({ exemption }) => exemption ?? []) };
}

describe("a German shop sells to a business with a valid VAT ID", () => {
  const lamp = [item(11900)];

  it.each([
    [
      "goods sent to France",
      shop(),
      "FR",
      lamp,
      {},
      { total: 11000, taxTotal: 0, exemptions: ["intra_community_supply"] },
    ],
    [
      "a service for France",
      shop(),
      "FR",
      [service(11900)],
      {},
      { total: 10000, taxTotal: 0, exemptions: ["reverse_charge"] },
    ],
    ["goods sent within Germany", shop(), "DE", lamp, {}, { total: 13090, taxTotal: 2090, exemptions: [] }],
    [
      "goods sent to Austria with a French ID",
      shop(),
      "AT",
      lamp,
      { vatCountry: "FR" },
      { total: 13090, taxTotal: 2090, exemptions: [] },
    ],
    [
      "a service for Austria with a French ID",
      shop(),
      "AT",
      [service(11900)],
      { vatCountry: "FR" },
      { total: 11900, taxTotal: 1900, exemptions: [] },
    ],
    [
      "goods without an ID",
      shop(),
      "FR",
      lamp,
      { vatCountry: undefined },
      { total: 13090, taxTotal: 2090, exemptions: [] },
    ],
    [
      "goods from a shop without an ID",
      shop({ vatId: null }),
      "FR",
      lamp,
      {},
      { total: 13090, taxTotal: 2090, exemptions: [] },
    ],
    [
      "goods from a Swiss shop",
      shop({ homeCountry: "CH" }),
      "FR",
      lamp,
      {},
      { total: 13090, taxTotal: 0, exemptions: [] },
    ],
    ["goods sent to Switzerland", shop(), "CH", lamp, {}, { total: 11000, taxTotal: 0, exemptions: ["export"] }],
    ["a service for Switzerland", shop(), "CH", [service(11900)], {}, { total: 10000, taxTotal: 0, exemptions: [] }],
    ["goods exempt anyway", shop(), "FR", [item(11900, "exempt")], {}, { total: 13090, taxTotal: 0, exemptions: [] }],
    [
      "as a small business",
      shop({ smallBusiness: true }),
      "FR",
      lamp,
      {},
      { total: 13090, taxTotal: 0, exemptions: ["small_business"] },
    ],
    [
      "goods for a reason of staff",
      shop(),
      "FR",
      lamp,
      { taxExempt: true },
      { total: 11000, taxTotal: 0, exemptions: [] },
    ],
  ])("%s", (_, rules, where, lines, basket, expected) => {
    expect(priced(rules, where, lines, basket)).toEqual(expected);
  });

  it("goods and a service, each free for its own reason", () => {
    const { exemptions, total } = priced(shop(), "FR", [item(11900), service(11900)]);
    expect(exemptions.toSorted()).toEqual(["intra_community_supply", "reverse_charge"]);
    expect(total).toBe(21000);
  });

  it("collected goods, which never leave Germany", () => {
    const methods = [{ ...post(0), kind: "pickup" as const }];
    expect(priced(shop({ methods }), "FR", lamp)).toEqual({ total: 11900, taxTotal: 1900, exemptions: [] });
  });

  it("with tax where a rate of its own applies outside the Union", () => {
    const rules = { ...shop(), rates: [...shop().rates, ...taxAdded("CH", [rate("MWST", 8.1)]).rates] };
    expect(priced(rules, "CH", lamp).exemptions).toEqual([]);
  });
});

it.each([
  ["reverse_charge", "fr", "DE", /^Autoliquidation/],
  ["reverse_charge", "de", "FR", /^Steuerschuldnerschaft des Leistungsempfängers/],
  ["intra_community_supply", "en", "DE", /^VAT-exempt intra-Community supply/],
  ["export", "es", "ES", /^Exportación/],
  ["small_business", "en", "DE", /§ 19 UStG/],
  ["small_business", "en", "FR", /^TVA non applicable, art. 293 B du CGI$/],
  ["small_business", "en", "NL", /article 284/],
] as const)("says %s in %s for a shop in %s", (exemption, language, homeCountry, words) => {
  expect(exemptionWords([{ exemption }], { language, homeCountry })).toMatch(words);
  expect(exemptionWords([{}], { language, homeCountry })).toBeNull();
});
