import { describe, expect, it } from "vitest";
import { judgedVatCheck } from "../../../../src/checkout/taxes/vat-checks.ts";
import type { VatCheck } from "../../../../src/platform/db/schema.ts";

const judged = (registered: string | null, company: string | null, change: Partial<VatCheck> = {}) => {
  const check = {
    vatId: "FR40303265045",
    status: "valid",
    consultationNumber: "W1",
    checkedAt: 1,
    name: registered,
  } as const;
  const address = {
    name: "Ada Lovelace",
    company,
    address: "1 rue",
    city: "Paris",
    zip: "75001",
    vat_id: "FR40303265045",
  };
  return judgedVatCheck({ ...check, ...change }, address)?.status;
};

describe("a valid VAT ID", () => {
  it.each([
    ["SOCIETE DES LAMPES SAS", "Lampes"],
    ["Müller & Söhne GmbH", "MUELLER und Soehne / Müller"],
    ["A.B.C. SRL", "ABC"],
    ["ADA LOVELACE", "Ada Lovelace"],
    ["3M BELGIUM", "3M"],
    ["ΕΤΑΙΡΕΙΑ ΦΩΤΙΣΜΟΥ ΑΕ", "Etaireia"],
    ["Group registration - This VAT ID corresponds to a Group of Taxpayers", "Any"],
    ["SA", "Any"],
    [null, "Any"],
  ])("of %s is one of %s", (registered, company) => expect(judged(registered, company)).toBe("valid"));

  it.each([
    ["SOCIETE DES LAMPES SAS", "Société Générale SAS"],
    ["AMAZON EU SARL", "Group Europe SARL"],
    ["BRASSERIE DU PORT", null],
    ["ADA LOVELACE", "Rivale"],
    ["ADA LOVELACE", null],
    [null, null],
  ])("of %s is not one of %s", (registered, company) => expect(judged(registered, company)).toBe("other_name"));
});

it("of another ID than the address has counts for nothing", () => {
  expect(judged("LAMPES", "Lampes", { vatId: "FR40303265046" })).toBeUndefined();
  expect(judged(null, "Lampes", { status: "invalid" })).toBe("invalid");
});
