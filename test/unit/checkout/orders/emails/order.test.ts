import { expect, it } from "vitest";
import { OrderContent, orderLines, sampleOrder } from "../../../../../src/checkout/orders/emails/order.ts";
import { filled, writerIn } from "../../../../../src/platform/email/messages.ts";
import { templates } from "../../../../../src/platform/email/templates.ts";

/** The first sentence of a refund's e-mail. */
const introductionOf = (params: Parameters<typeof templates.refund_sent.write>[1]) => {
  const content = templates.refund_sent.write(letter, params);
  return "introduction" in content ? filled(content.introduction, content.variables ?? {}) : null;
};

const order = (differs: object) => OrderContent.parse({ ...sampleOrder, ...differs });
const letter = {
  ...writerIn("en"),
  shop: "Shop",
  name: null,
  contact: "",
  orderUrl: () => null,
  invoicesUrl: () => null,
  withdrawalUrl: () => null,
  panelUrl: () => null,
  imageUrl: () => null,
};

const block = (differs: object) => {
  const lines = orderLines(letter, order(differs));
  return typeof lines === "object" && "totals" in lines ? (lines.totals ?? []) : [];
};
const totals = (differs: object) => block(differs).map(({ text, amount }) => `${text} ${amount}`);
const plain = { discounts: [], shippingMethod: null, taxLines: [], total: 32700 };

it("adds up an order to its total, with named parts, and leaves out empty ones", () => {
  const parts = ["Subtotal $327.00", "Welcome (WELCOME) -$20.00", "Shipping: Tracked parcel $6.50"];
  expect(totals({})).toEqual([...parts, "Total $313.50"]);
  expect(block({}).map(({ detail }) => detail)).toEqual([undefined, undefined, undefined, "includes $52.25 VAT 20 %"]);
  const added = { pricesIncludeTax: false, total: 36575 };
  expect(totals(added)).toEqual([...parts, "VAT 20 % $52.25", "Total $365.75"]);
  expect(block(added).every(({ detail }) => detail === undefined)).toBe(true);
  expect(totals(plain)).toEqual(["Total $327.00"]);
  expect(totals({ ...plain, currency: "EUR" })).toEqual(["Total €327.00"]);
});

it("states a refund with its tax, and no tax if there is none", () => {
  const facts = (refundedTax: number) =>
    templates.refund_sent
      .write(letter, { order: order({ refundedTotal: 2900, refundedTax }), amount: 1450, currency: "USD" })
      .blocks.filter((part) => typeof part === "object" && "facts" in part);
  expect(facts(483)).toEqual([{ facts: { "Total refunded": "$29.00, including $4.83 tax" } }]);
  expect(facts(0)).toEqual([]);
});

const blocks = (name: "order_confirmation" | "payment_failed" | "order_expired", differs: object) =>
  templates[name].write(letter, { order: order(differs) }).blocks;

it("asks for no payment if the order is paid, has ended, or is not paid online", () => {
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

it("tells a buyer who paid after all that there is nothing to do", () => {
  expect(blocks("order_expired", { status: "processing", paidAt: 1 })).toContain(
    "The order has been paid in the meantime. You do not need to do anything.",
  );
});

it("names a refund in the currency of the payment", () => {
  const refund = { order: order({}), amount: 1050, currency: "GBP" };
  expect(introductionOf(refund)).toBe("We have refunded £10.50 to your original payment method, credit card.");
});

it("names no card if buyer and shop arrange the payment", () => {
  const arranged = { paymentProvider: null, paymentUrl: null, status: "processing", paidAt: 1 } as const;
  expect(blocks("order_confirmation", arranged)).toContain("Paid.");
  expect(blocks("order_confirmation", { ...arranged, paymentMethod: "wallet" })).toContain("Paid by wallet.");
  const refund = { order: order(arranged), amount: 1050, currency: "USD" };
  expect(introductionOf(refund)).toBe("We have refunded $10.50 to your original payment method.");
});
