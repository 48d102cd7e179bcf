import { afterAll, beforeAll, expect, it, vi } from "vitest";
import type { CsvRow } from "../../../../../src/back-office/imports/reading/csv-rows.ts";
import type { ImportRecord } from "../../../../../src/back-office/imports/reading/record.ts";
import { wooRecords } from "../../../../../src/back-office/imports/woocommerce/records.ts";

beforeAll(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.parse("2026-06-15T12:00:00Z") });
});
afterAll(() => {
  vi.useRealTimers();
});

const HEADER = ["Type", "SKU", "Name", "Regular price", "Sale price", "Date sale price starts", "Date sale price ends"];

async function* rowsOf(...ends: string[]): AsyncGenerator<CsvRow> {
  for (const [n, end] of ends.entries())
    yield { line: n + 2, cells: ["simple", `D-${n}`, "Goods", "20", "15", "", end], problem: null };
}

/** Prices of products whose sales end at these times, by line, and the messages of lines that fail. */
async function pricesOf(...ends: string[]) {
  const records: ImportRecord[] = [];
  for await (const record of wooRecords(HEADER, rowsOf(...ends)).records) records.push(record);
  return records
    .sort((a, b) => a.line - b.line)
    .map(({ fields, failures }) => fields?.price ?? failures?.map(({ message }) => message).join());
}

it("are read in the order found from another date of the file", async () => {
  expect(await pricesOf("01/12/2026", "24/12/2020")).toEqual([15, 20]);
  expect(await pricesOf("01/12/2026", "12/24/2020")).toEqual([20, 20]);
});

it("are refused with both readings if the file shows no order, or both", async () => {
  const both = expect.stringContaining("can be 2026-12-01 or 2026-01-12");
  expect(await pricesOf("01/12/2026")).toEqual([both]);
  expect(await pricesOf("24/12/2020", "01/12/2026", "12/24/2020")).toEqual([20, both, 20]);
});

it("are accepted if both readings are the same", async () => {
  expect(await pricesOf("01/02/2026", "11/12/2026")).toEqual([20, 15]);
});

it("include the first and the last day of a sale", async () => {
  expect(await pricesOf("2026-06-15", "2026-06-14", "2026-06-15 00:00:00", "")).toEqual([15, 20, 15, 15]);
});
