import { expect, it } from "vitest";
import { errorsOf } from "../../../../../../examples/storefront/src/checkout/problems.ts";

it("says next to the form's fields what is wrong, each code by its name, and of the total only if nothing else is", () => {
  const problem = (field: string, code: string) => ({ field, code, message: "is wrong" });
  const changed = problem("expected_total", "total_changed");
  const typed = { discount_codes: "one, two" };
  expect(errorsOf([changed], typed)).toEqual({ expected_total: [expect.stringContaining("total has changed")] });
  const problems = [
    changed,
    problem("shipping_address", "shipping_unavailable"),
    problem("shipping_address.zip", "invalid"),
    problem("discount_codes.0", "unknown_discount_code"),
    problem("discount_codes.1", "unknown_discount_code"),
  ];
  expect(errorsOf(problems, typed)).toEqual({
    "shipping_address.country": ["We do not ship to this address"],
    "shipping_address.zip": ["is wrong"],
    discount_codes: ["ONE is wrong", "TWO is wrong"],
  });
});
