import { expect, it } from "vitest";
import { paymentLabel } from "../../../src/domain/payment-methods.ts";

it("calls a payment manual that no provider collects", () => {
  expect(paymentLabel({ paymentMethod: "credit_card", paymentProvider: "stripe" })).toBe("credit card");
  expect(paymentLabel({ paymentMethod: "credit_card", paymentProvider: null })).toBe("manual payment");
  expect(paymentLabel({ paymentMethod: "wallet", paymentProvider: null })).toBe("wallet");
});
