import { expect, it } from "vitest";
import { meantEmail } from "../../../../../../examples/storefront/src/checkout/meant-email.ts";

it.each([
  ["frieda@example", "frieda@example.com"],
  [" frieda@gmail ", "frieda@gmail.com"],
  ["frieda@web", "frieda@web.de"],
  ["frieda@shop,example", "frieda@shop.example"],
  ["frieda@gmial.com", "frieda@gmail.com"],
  ["frieda@gmail.con", "frieda@gmail.com"],
  ["frieda@Gmal.com", "frieda@gmail.com"],
  ["frieda@hotmaill.com", "frieda@hotmail.com"],
])("takes %j for %j", (written, meant) => {
  expect(meantEmail(written)).toBe(meant);
});

it.each([
  "frieda@gmail.com",
  "frieda@Gmail.com",
  "frieda@email.com",
  "frieda@mail.com",
  "frieda@shop.example",
  "frieda",
  "",
])("has nothing to ask about %j", (written) => {
  expect(meantEmail(written)).toBe(undefined);
});
