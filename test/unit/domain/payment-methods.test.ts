import { expect, it } from "vitest";
import { paymentLabel } from "../../../src/domain/payment-methods.ts";

it("labels a payment as manual if no provider collects it", () => {
  expect(paymentLabel({ paymentMethod: "credit_card", paymentProvider: "stripe" })).toBe("credit card");
  expect(paymentLabel({ paymentMethod: "credit_card", paymentProvider: null })).toBe("manual payment");
  expect(paymentLabel({ paymentMethod: "wallet", paymentProvider: null })).toBe("wallet");
});
