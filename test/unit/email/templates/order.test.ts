import { expect, it } from "vitest";
import { templates } from "../../../../src/email/templates/index.ts";
import { OrderContent, orderLines, sampleOrder } from "../../../../src/email/templates/order.ts";

const order = (differs: object) => OrderContent.parse({ ...sampleOrder, ...differs });
const letter = { shop: "Shop", name: null, orderUrl: () => null, panelUrl: () => null };

it("adds up an order to its total, and leaves out what is 0", () => {
  const totals = (differs: object) => {
    const block = orderLines(order(differs));
    return (
      typeof block === "object" && "totals" in block && block.totals?.map(({ text, amount }) => `${text} ${amount}`)
    );
  };
  expect(totals({})).toEqual(["Subtotal $327.00", "Discount -$20.00", "Shipping $6.50", "Tax $25.50", "Total $339.00"]);
  expect(totals({ discountTotal: 0, taxTotal: 0 })).toEqual(["Subtotal $327.00", "Shipping $6.50", "Total $339.00"]);
  expect(totals({ discountTotal: 0, shippingTotal: 0, taxTotal: 0 })).toEqual(["Total $339.00"]);
  expect(totals({ currency: "EUR", discountTotal: 0, shippingTotal: 0, taxTotal: 0 })).toEqual(["Total €339.00"]);
});

const blocks = (name: "order_confirmation" | "payment_failed" | "order_expired", differs: object) =>
  templates[name].write(letter, { order: order(differs) }).blocks;

it("asks nobody to pay for what was paid, has ended, or is paid nowhere online", () => {
  const paymentUrl = "https://pay.test/1";
  const asks = (differs: object) =>
    blocks("payment_failed", { status: "pending", paidAt: null, paymentUrl, ...differs }).some(
      (block) => typeof block === "object" && "link" in block && block.to === paymentUrl,
    );
  expect(asks({})).toBe(true);
  expect(asks({ paidAt: 1 })).toBe(false);
  expect(asks({ status: "expired" })).toBe(false);
  expect(asks({ status: "cancelled" })).toBe(false);
  expect(asks({ paymentUrl: null })).toBe(false);
  expect(asks({ paymentUrl: "http://pay.test/1" })).toBe(false);
});

it("tells whoever paid after all that there is nothing to do", () => {
  expect(blocks("order_expired", { status: "processing", paidAt: 1 })).toContain(
    "It has been paid since: there is nothing to do.",
  );
});

it("names a refund in the currency in which that money came", () => {
  const { blocks } = templates.refund_sent.write(letter, { order: order({}), amount: 1050, currency: "GBP" });
  expect(blocks[0]).toBe("We have sent £10.50 back the way you paid: by credit card.");
});
