import { expect, it } from "vitest";
import { readGuards } from "../../../../scripts/database/guards.ts";

/** Guards for orders paid by an UPDATE, each with the guard for the items of an order that is paid on INSERT. */
const atOnce: Record<string, string> = {
  order_is_charged_later: "order_is_charged",
  order_grants_packages_later: "order_item_grants_packages",
};

const guards = new Map(readGuards().map(({ name, sql }) => [name, sql]));

it("has every effect on orders paid at once that it has on orders paid later", () => {
  const later = [...guards].filter(([, sql]) => /^CREATE TRIGGER \w+ AFTER UPDATE OF paid_at ON orders\b/.test(sql));
  expect(later.map(([name]) => name).toSorted()).toEqual(Object.keys(atOnce).toSorted());
  const byItsOwnInsert = [...guards].flatMap(([name, sql]) =>
    /^CREATE TRIGGER \w+ AFTER INSERT ON orders\s+WHEN NEW\.paid_at IS NOT NULL/.test(sql) ? name : [],
  );
  // This guard writes one row and needs no item. Running it for each item would read four more rows.
  expect(byItsOwnInsert).toEqual(["order_counts_for_customer"]);
  for (const name of Object.values(atOnce)) {
    expect(guards.get(name)).toMatch(/^CREATE TRIGGER \w+ AFTER INSERT ON order_items\b/);
  }
});

/** The columns and values of a charge, with the source row's name removed. */
const chargeOf = (name: string) =>
  /INSERT INTO transactions (\(.*?\))\s+(?:VALUES \(|SELECT )(.*?)(?:\);|\s+FROM orders\b)/s
    .exec(guards.get(name) ?? "")
    ?.slice(1)
    .map((part) => part.replaceAll(/\b(?:NEW|orders|users)\./g, ""));

it("charges an order paid at once as one paid later", () => {
  expect(chargeOf("order_is_charged")).toHaveLength(2);
  expect(chargeOf("order_is_charged")).toEqual(chargeOf("order_is_charged_later"));
});
