import { expect, it } from "vitest";
import { errorsOf, tellOf } from "../../../../../../examples/storefront/src/checkout/problems.ts";

const problem = (field: string, code: string) => ({ field, code, message: "is wrong" });

it("explains errors in the words of the country's form, each code by its name, and of the total only if alone", () => {
  const changed = problem("expected_total", "total_changed");
  expect(tellOf([changed], {})).toEqual([{ name: null, sentence: expect.stringContaining("total has changed") }]);
  const values = { discount_codes: "one, two", "address.country": "US" };
  const problems = [
    changed,
    problem("customer.email", "required"),
    problem("shipping_address", "shipping_unavailable"),
    problem("shipping_address.zip", "required"),
    problem("billing_address.zip", "required"),
    problem("shipping_address.city", "too_big"),
    problem("shipping_address.region", "required"),
    problem("discount_codes.1", "unknown_discount_code"),
    problem("items.0.quantity", "insufficient_stock"),
    problem("items.1.product_id", "not_for_sale"),
  ];
  const told = tellOf(problems, values);
  expect(told.map(({ sentence }) => sentence)).toEqual([
    "Enter your e-mail address",
    "We do not ship to this country yet",
    "Enter the ZIP code",
    "City is wrong",
    "Choose the state",
    "TWO is wrong",
    "Is wrong",
    "A product is no longer for sale. Remove it from your cart",
  ]);
  expect(errorsOf(told)).toEqual({
    "customer.email": ["Enter your e-mail address"],
    "address.country": ["We do not ship to this country yet"],
    "address.zip": ["Enter the ZIP code"],
    "address.city": ["City is wrong"],
    "address.region": ["Choose the state"],
    discount_code: ["TWO is wrong"],
  });
});
