import { expect, it } from "vitest";
import {
  forNewCountries,
  missingIn,
  orderOf,
  quotedOf,
} from "../../../../../../examples/storefront/src/checkout/order-form.ts";

const address = {
  "address.name": "Greta Guest",
  "address.address": "Torstraße 1",
  "address.city": "Berlin",
  "address.zip": "10119",
  "address.country": "DE",
  "address.region": " ",
  "address.phone": "",
};
const berlin = {
  name: "Greta Guest",
  company: null,
  address: "Torstraße 1",
  address2: null,
  city: "Berlin",
  zip: "10119",
  region: null,
  country: "DE",
  phone: null,
};
const seen = [{ product_id: 1, quantity: 2, price: 9.5 }];

it("orders the displayed items at the displayed total, with the chosen options", () => {
  const values = {
    ...address,
    asked: "shipping_address",
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
    shipping_address: berlin,
    shipping_method: 7,
    discount_codes: ["SPRING", "TWO WORDS"],
  };
  const customer = { email: "greta@guest.example", name: "Greta Guest" };
  expect(orderOf(values, true)).toEqual({ ...order, customer });
  expect(orderOf(values, false)).toEqual(order);
  const { shipping_address: _, ...others } = order;
  expect(orderOf({ ...values, address_id: "5" }, false)).toEqual({ ...others, shipping_address_id: 5 });
});

it("quotes with all fields that affect a price, however little of the form is filled in", () => {
  expect(quotedOf({}, true)).toEqual({});
  expect(quotedOf({ ...address, discount_codes: " , ", shipping_method: "x" }, true)).toEqual({});
  expect(quotedOf({ "customer.email": "g@x" }, true)).toEqual({});
  const values = { asked: "billing_address", "address.country": "US", "address.region": "new york" };
  expect(quotedOf({ ...values, "customer.email": "g@x.example" }, true)).toEqual({
    customer: { email: "g@x.example", name: "-" },
    billing_address: { name: "-", address: "-", city: "-", zip: "0", region: "NY", country: "US" },
  });
  // The region belongs to another country.
  expect(quotedOf({ ...values, "address.country": "DE" }, true).billing_address?.region).toBe(null);
});

it("requires the fields of the country's addresses, and none for an address of the address book", () => {
  const fields = (values: Record<string, string>, isGuest: boolean) =>
    missingIn(values, isGuest).map(({ field }) => field);
  expect(fields({}, true)).toEqual(["customer.email", "customer.name"]);
  expect(fields({ asked: "shipping_address" }, false)).toEqual(["address.country"]);
  expect(fields({ asked: "shipping_address", address_id: "5" }, false)).toEqual([]);
  expect(fields({ ...address, asked: "shipping_address" }, false)).toEqual([]);
  expect(fields({ asked: "shipping_address", "address.country": "US", "address.region": "Bavaria" }, false)).toEqual([
    "address.name",
    "address.address",
    "address.city",
    "address.region",
    "address.zip",
  ]);
});

it("empties the place of the previous country, but not what was filled in together with the new one", () => {
  const before = { "address.country": "DE", "address.name": "Ada", "address.zip": "10119", "address.city": "Berlin" };
  const chosen = { ...before, "address.country": "FR" };
  expect(forNewCountries(chosen, before)).toEqual({ ...chosen, "address.zip": "", "address.city": "" });
  const filledIn = { ...chosen, "address.zip": "75002", "address.city": "Paris" };
  expect(forNewCountries(filledIn, before)).toEqual(filledIn);
  expect(forNewCountries(before, before)).toEqual(before);
  expect(forNewCountries(before, {})).toEqual(before);
});
