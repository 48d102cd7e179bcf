import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { moves } from "../../../src/checkout/orders/transitions.ts";
import { paymentMethods } from "../../../src/domain/payment-methods.ts";

const guide = readFileSync("docs/api.md", "utf8");

it("documents the possible next statuses of each order status", () => {
  const [, table = ""] = /^\| status \| how .+\n\|[-|]+\|\n([\s\S]+?)\n\n/m.exec(guide) ?? [];
  const told = table.split("\n").map((row) => {
    const [, status = "", , , to = ""] = row.split(/ ?\| ?/);
    return [status, to.split(":")[0]?.split(", ").filter(Boolean)];
  });
  expect(Object.fromEntries(told)).toEqual(moves);
});

it("names each payment method", () => {
  const [, told = ""] = /`payment_method` (\w+(?:(?:, | or )\w+)+)/.exec(guide) ?? [];
  expect(told.split(/, | or /)).toEqual(paymentMethods);
});
