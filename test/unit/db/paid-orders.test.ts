import { expect, it } from "vitest";
import { readGuards } from "../../../scripts/database/guards.ts";

/** What happens to an order that is paid by its own INSERT, or by an UPDATE of it: the name, other conditions, and the body. */
const happeningAt = (moment: RegExp): Record<string, string> =>
  Object.fromEntries(
    readGuards().flatMap(({ name, sql }) => (moment.test(sql) ? [[name, sql.replace(moment, "")]] : [])),
  );

const atOnce = happeningAt(/^CREATE TRIGGER \w+ AFTER INSERT ON orders\s+WHEN NEW\.paid_at IS NOT NULL/);
const later = happeningAt(
  /^CREATE TRIGGER \w+ AFTER UPDATE OF paid_at ON orders\s+WHEN OLD\.paid_at IS NULL AND NEW\.paid_at IS NOT NULL/,
);

/** Granting needs the lines of the order, which are inserted after it: order_item_grants_packages does it at once. */
const BY_LINE = ["order_grants_packages_later"];

it("happens alike to orders that are paid at once and to those that are paid later", () => {
  const expected = Object.entries(atOnce).map(([name, rest]) => [`${name}_later`, rest]);
  expect(expected.length).toBeGreaterThan(0);
  expect(Object.fromEntries(Object.entries(later).filter(([name]) => !BY_LINE.includes(name)))).toEqual(
    Object.fromEntries(expected),
  );
});
