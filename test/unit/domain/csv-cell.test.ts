import * as fc from "fast-check";
import { expect, it } from "vitest";
import { neutralized, unneutralized } from "../../../src/domain/csv-cell.ts";

const formulas = [
  "=1+1",
  "+1",
  "-1",
  "@SUM(A1)",
  " =1",
  "\u00a0=1",
  "\u3000=1",
  "＝1",
  "＋1",
  "－1",
  "＠A1",
  '"=1',
  ' " =1',
];

it.each([...formulas, "\t1", "\r1", "\n1", "\0=1", "'=1", "''@"])("puts an apostrophe before %j", (cell) => {
  expect(neutralized(cell)).toBe(`'${cell}`);
  expect(unneutralized(`'${cell}`)).toBe(cell);
});

it.each([";", "\t", "\r", "\n", "\r\n"])(
  "neutralizes a formula after %j, where other spreadsheets begin a cell",
  (end) => {
    for (const formula of formulas) expect(neutralized(`a${end}${formula}${end}b`)).toBe(`a${end}'${formula}${end}b`);
  },
);

it.each(["plain", "a=1", "1-1", "a, -b", "it's", "'quoted'", "", "a;b", "two\nlines", "'", "' ", "2026-11-23"])(
  "leaves %j unchanged",
  (cell) => {
    expect(neutralized(cell)).toBe(cell);
    expect(unneutralized(cell)).toBe(cell);
  },
);

const cells = fc.string({ unit: fc.constantFrom(..."=+-@＝＠'\"; \t\r\n\0\u3000,a1"), maxLength: 12 });

it("leaves no cell that a spreadsheet executes, whatever it contains", () => {
  fc.assert(
    fc.property(cells, (cell) => {
      for (const part of neutralized(cell).split(/[;\t\r\n]/)) expect(part).not.toMatch(/^["\s]*[=+\-@＝＋－＠]/);
      expect(neutralized(cell)).not.toMatch(/^[\0\t\r\n]/);
    }),
    { numRuns: 5_000 },
  );
});

it("is undone exactly", () => {
  fc.assert(
    fc.property(cells, (cell) => {
      expect(unneutralized(neutralized(cell))).toBe(cell);
    }),
    { numRuns: 5_000 },
  );
});
