import { describe, expect, it } from "vitest";
import { isIban } from "../../../src/domain/iban.ts";
import { VatId } from "../../../src/domain/vat-id.ts";

describe("a VAT ID", () => {
  it.each([
    ["de 123.456-789", "DE123456789"],
    ["ATU12345678", "ATU12345678"],
    ["BE0123456789", "BE0123456789"],
    ["FRXX123456789", "FRXX123456789"],
    ["EL123456789", "EL123456789"],
    ["NL123456789B01", "NL123456789B01"],
    ["CHE123456789", "CHE123456789"],
  ])("%s is %s", (typed, read) => expect(VatId.parse(typed)).toBe(read));

  it.each(["DE12345678", "AT12345678", "GR123456789X?", "123456789", "FRIO123456789", ""])("is not %j", (typed) =>
    expect(VatId.safeParse(typed).success).toBe(false),
  );
});

describe("an IBAN", () => {
  it.each(["DE02120300000000202051", "GB82WEST12345698765432", "BE68539007547034"])("is %s", (text) =>
    expect(isIban(text)).toBe(true),
  );
  it.each(["DE03120300000000202051", "GB82WEST1234569876543", "", "DE"])("is not %j", (text) =>
    expect(isIban(text)).toBe(false),
  );
});
