import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

const lines = readFileSync("docs/scale.md", "utf8").split("\n");
const cellsOf = (line: string) => line.split("|").map((cell) => cell.trim());
const first = lines.findIndex((line) => line.startsWith("| resource | $ a million")) + 2;
const table = lines.slice(first, lines.indexOf("", first)).map(cellsOf);
const total = (label: string) => table.find(([, name]) => name?.startsWith(`**${label}`))?.slice(4, 7);

it.each([
  ["1 million", 1],
  ["100 million", 100],
] as const)("adds up the cost of %s requests of each kind from the counted resources", (label, millions) => {
  const resources = table.filter(([, name]) => !name?.startsWith("**"));
  expect(resources).toHaveLength(9);
  const sums = [4, 5, 6].map((column) =>
    resources.reduce((sum, cells) => {
      const [price = 0, included = 0, count = 0] = [2, 3, column].map((index) => Number(cells[index]));
      return sum + Math.max(0, millions * count - included) * price;
    }, 0),
  );
  expect(total(label)).toEqual(sums.map((sum) => sum.toFixed(2)));
});

it("states what the tests of objects count", () => {
  const tested = readFileSync("test/rate-limit/costs.test.ts", "utf8");
  const row = /\[\s*"([^"]+)",[^[\]]*?\{ requests: (\d+), alarms: (\d+), rows: (\d+), waitedMs: 0 \}/g;
  const counted = [...tested.matchAll(row)].map(([, name, ...figures]) => [name, ...figures]);
  const stated = lines.flatMap((line) => {
    const [, name, calls, alarms, rows] = /^\| (.+?) \| (\d+) \+ (\d+) \| (\d+) \|$/.exec(line) ?? [];
    return name === undefined ? [] : [[name, calls, alarms, rows]];
  });
  expect(stated.length).toBeGreaterThan(0);
  expect(counted).toEqual(expect.arrayContaining(stated));
});

it("counts for an order with its e-mail what they cost one by one, within the budget of the tests", () => {
  const counts = (name: string) =>
    cellsOf(lines.find((line) => line.startsWith(`| ${name}`)) ?? "")
      .slice(3, 5)
      .map(Number);
  const [order, email] = [counts("order of one line, from the wallet"), counts("its e-mail")];
  const stated = ["D1 rows read", "D1 rows written"].map((name) => table.find((cells) => cells[1] === name)?.[6]);
  expect(stated).toEqual(order.map((rows, n) => String(rows + (email[n] ?? 0))));
  const tested = readFileSync("test/orders/cost.test.ts", "utf8");
  const budget = /"of one line from the wallet", (\d+), (\d+)/.exec(tested)?.slice(1).map(Number) ?? [];
  expect(order[0]).toBeLessThanOrEqual(budget[0] ?? 0);
  expect(order[1]).toBe(budget[1]);
});
