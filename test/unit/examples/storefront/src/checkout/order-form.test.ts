import { expect, it } from "vitest";
import { choicesOf, orderOf } from "../../../../../../examples/storefront/src/checkout/order-form.ts";

const address = (kind: string) => ({
  [`${kind}.name`]: "Greta Guest",
  [`${kind}.address`]: "Torstraße 1",
  [`${kind}.city`]: "Berlin",
  [`${kind}.zip`]: "10119",
  [`${kind}.country`]: "DE",
  [`${kind}.region`]: " ",
  [`${kind}.phone`]: "",
});
const berlin = { name: "Greta Guest", address: "Torstraße 1", city: "Berlin", zip: "10119", country: "DE" };

it("orders what was seen at the total that was seen, with what was chosen", () => {
  const seen = [{ product_id: 1, quantity: 2, price: 9.5 }];
  const values = {
    ...address("shipping_address"),
    seen: JSON.stringify(seen),
    total: "28.7",
    "customer.email": "greta@guest.example",
    shipping_method: "7",
    discount_codes: " spring, ,Spring,two words",
    payment_method: "paypal",
  };
  const order = {
    items: seen,
    payment_method: "paypal",
    expected_total: 28.7,
    shipping_address: { ...berlin, region: null, phone: null },
    shipping_method: 7,
    discount_codes: ["SPRING", "TWO WORDS"],
  };
  const customer = { email: "greta@guest.example", name: "Greta Guest" };
  expect(orderOf(values, "guest")).toEqual({ ...order, customer });
  expect(orderOf(values, "shopper")).toEqual(order);
});

it("asks a quote for nothing that was not typed in", () => {
  expect(choicesOf({}, "guest")).toEqual({});
  expect(choicesOf({ discount_codes: " , ", shipping_method: "x" }, "guest")).toEqual({});
  expect(choicesOf({ "customer.email": "g@x.example", "customer.name": "G" }, "guest")).toEqual({
    customer: { email: "g@x.example", name: "G" },
  });
  const billed = { ...address("billing_address"), "customer.email": "g@x.example" };
  expect(choicesOf(billed, "guest")).toEqual({
    customer: { email: "g@x.example", name: "Greta Guest" },
    billing_address: { ...berlin, region: null, phone: null },
  });
});
