import { expect, it } from "vitest";
import { readGuards } from "../../../../scripts/database/guards.ts";

/** Tables written for an order paid by an UPDATE, each with the guard for the items of an order that is paid on INSERT. */
const atOnce: Record<string, string> = {
  transactions: "order_is_charged",
  packages: "order_item_grants_packages",
  license_key_issues: "order_item_issues_license_keys",
  gift_card_issues: "order_item_issues_gift_cards",
};

const guards = new Map(readGuards().map(({ name, sql }) => [name, sql]));

it("has every effect on orders paid at once that it has on orders paid later", () => {
  const later = [...guards].filter(([, sql]) => /^CREATE TRIGGER \w+ AFTER UPDATE OF paid_at ON orders\b/.test(sql));
  expect(later.map(([name]) => name)).toEqual(["order_is_paid_later"]);
  const written = later.flatMap(([, sql]) => [...sql.matchAll(/(?:INSERT INTO|DELETE FROM|UPDATE(?! OF)) (\w+)/g)]);
  expect(written.map(([, table]) => table).toSorted()).toEqual(Object.keys(atOnce).toSorted());
  const byItsOwnInsert = [...guards].flatMap(([name, sql]) =>
    /^CREATE TRIGGER \w+ AFTER INSERT ON orders\b.*NEW\.paid_at IS NOT NULL/s.test(sql) ? name : [],
  );
  // The customer's figures are one row and need no item. Running them for each item would read four more rows.
  expect(byItsOwnInsert).toEqual(["order_begins"]);
  for (const name of Object.values(atOnce)) {
    expect(guards.get(name)).toMatch(/^CREATE TRIGGER \w+ AFTER INSERT ON order_items\b/);
  }
});

/** The columns and values of a charge, with the source row's name removed. */
const chargeOf = (name: string) =>
  /INSERT INTO transactions (\(.*?\))\s+SELECT (.*?)\s+(?:WHERE NEW\.total|FROM orders)\b/s
    .exec(guards.get(name) ?? "")
    ?.slice(1)
    .map((part) => part.replaceAll(/\b(?:NEW|orders|users)\./g, ""));

it("charges an order paid at once as one paid later", () => {
  expect(chargeOf("order_is_charged")).toHaveLength(2);
  expect(chargeOf("order_is_charged")).toEqual(chargeOf("order_is_paid_later"));
});
