import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { readGuards } from "../../../../scripts/database/guards.ts";

// Orders priced by outdated rules are refused, so every table that rules are read from must change the rules' version.

/** The module that reads the rules, and so names their tables. */
const read = readFileSync("src/checkout/pricing/rules.ts", "utf8");

const versioned = readGuards()
  .filter(({ kind, sql }) => kind === "trigger" && sql.includes("UPDATE pricing_rules SET version"))
  .map(({ sql }) => /(?:AFTER|BEFORE) (INSERT|UPDATE|DELETE)(?: OF [\w, ]+)? ON (\w+)/.exec(sql))
  .map((found) => `${found?.[1]} ${found?.[2]}`);

it.each(["shipping_zones", "shipping_methods", "tax_rates", "discounts", "payment_accounts"])(
  "an insert, an update and a deletion of %s change the version of the rules",
  (table) => {
    expect(read).toContain(table.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()));
    for (const change of ["INSERT", "UPDATE", "DELETE"]) expect(versioned).toContain(`${change} ${table}`);
  },
);

it("reads only tables whose changes change the version", () => {
  const imported = /import {([^}]+)} from "[./]+platform\/db\/schema.ts";/.exec(read)?.[1] ?? "";
  const tables = imported
    .split(",")
    .map((name) => name.trim())
    .filter(Boolean);
  expect(tables.toSorted()).toEqual([
    // Redemptions and first orders have guards of their own when they are written.
    "discountRedemptions",
    "discounts",
    "orders",
    "paymentAccounts",
    // One row, which is never deleted.
    "paymentSettings",
    "pricingRules",
    "shippingMethods",
    "shippingZones",
    // One row, which is never deleted.
    "shop",
    "taxRates",
  ]);
});
