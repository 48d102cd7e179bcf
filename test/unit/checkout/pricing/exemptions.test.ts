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

  const french = { vatCountry: "FR" };
  it.each<[string, Rules, string, Line[], Partial<Basket>, [total: number, tax: number, exemption?: string]]>([
    ["goods sent to France", shop(), "FR", lamp, {}, [11000, 0, "intra_community_supply"]],
    ["a service for France", shop(), "FR", [service(11900)], {}, [10000, 0, "reverse_charge"]],
    ["goods sent within Germany", shop(), "DE", lamp, {}, [13090, 2090]],
    ["goods sent to Austria with a French ID", shop(), "AT", lamp, french, [13090, 2090]],
    ["a service for Austria with a French ID", shop(), "AT", [service(11900)], french, [11900, 1900]],
    ["goods without an ID", shop(), "FR", lamp, { vatCountry: undefined }, [13090, 2090]],
    ["goods from a shop without an ID", shop({ vatId: null }), "FR", lamp, {}, [13090, 2090]],
    ["goods from a Swiss shop", shop({ homeCountry: "CH" }), "FR", lamp, {}, [13090, 0]],
    ["goods sent to Switzerland", shop(), "CH", lamp, {}, [11000, 0, "export"]],
    ["a service for Switzerland", shop(), "CH", [service(11900)], {}, [10000, 0]],
    ["goods exempt anyway", shop(), "FR", [item(11900, "exempt")], {}, [13090, 0]],
    ["as a small business", shop({ smallBusiness: true }), "FR", lamp, {}, [13090, 0, "small_business"]],
    ["goods for a reason of staff", shop(), "FR", lamp, { taxExempt: true }, [11000, 0]],
  ])("%s", (_, rules, where, lines, basket, [total, taxTotal, ...exemptions]) => {
    expect(priced(rules, where, lines, basket)).toEqual({ total, taxTotal, exemptions });
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

describe("a German shop sells to a consumer", () => {
  const taxed = { total: 13090, taxTotal: 2090, exemptions: [] };
  const exported = { total: 11000, taxTotal: 0, exemptions: ["export"] };
  const spanish = shop({ rates: [...shop().rates, rate("IVA", 21)(9, "ES")] });

  it.each<[about: string, country: string, zip: string, expected: object]>([
    ["the mainland of Spain", "ES", "28013", { ...taxed, total: 13090, taxTotal: 2272 }],
    ["the Canary Islands", "ES", "35001", exported],
    ["Tenerife", "ES", "38 001", exported],
    ["Ceuta", "ES", "51001", exported],
    ["Melilla", "ES", "52001", exported],
    ["Heligoland", "DE", "27498", exported],
    ["Büsingen", "DE", "78266", exported],
    ["Livigno", "IT", "23041", exported],
    ["Campione d'Italia", "IT", "22061", exported],
    ["Åland", "FI", "22100", exported],
    ["Mount Athos", "GR", "630 86", exported],
    ["Réunion", "FR", "97400", exported],
    ["Réunion by its own code", "RE", "97400", exported],
    ["Monaco", "MC", "98000", taxed],
    ["Monaco as part of France", "FR", "98000", taxed],
    ["Madrid with more digits than a code has", "ES", "35 / 28013", { ...taxed, taxTotal: 2272 }],
    ["Helsinki with more digits than a code has", "FI", "22-00100", taxed],
    ["Northern Ireland", "GB", "BT1 5GS", taxed],
    ["Great Britain", "GB", "SW1Y 4JH", exported],
  ])("in %s", (_, country, zip, expected) => {
    const shipTo = { country, region: null, zip };
    expect(priced(spanish, country, [item(11900)], { shipTo, billTo: shipTo, vatCountry: undefined })).toEqual(
      expected,
    );
  });

  it("in Northern Ireland with an ID that begins with XI, which is for goods only", () => {
    const there = { country: "GB", region: null, zip: "BT1 5GS" };
    const basket = { shipTo: there, billTo: there, vatCountry: "XI" };
    const supply = { total: 11000, taxTotal: 0, exemptions: ["intra_community_supply"] };
    expect(priced(shop(), "GB", [item(11900)], basket)).toEqual(supply);
    expect(priced(shop(), "GB", [service(11900)], basket)).toMatchObject({ exemptions: [] });
  });
});
