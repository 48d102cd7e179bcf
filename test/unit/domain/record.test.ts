import { expect, expectTypeOf, it } from "vitest";
import * as z from "zod";
import { Timestamp } from "../../../src/domain/fields.ts";
import { Money } from "../../../src/domain/money.ts";
import { toRecord } from "../../../src/domain/record.ts";

const Sale = z.object({
  id: z.int(),
  sku: z.string(),
  unit_price: Money.describe("Price"),
  refund: Money.nullable().describe("Null if none"),
  sold_at: Timestamp.describe("Time of the sale"),
  returned_at: Timestamp.nullable(),
  state: z.enum(["sold", "returned"]),
});

const row = { id: 3, sku: "A-1", unitPrice: 1_250, refund: null, soldAt: 0, returnedAt: 1_000, secret: "hidden" };

it("shows columns by the names of fields, times as ISO 8601 and money as decimals, and nothing else", () => {
  expect(toRecord(Sale, row, { state: "returned" })).toEqual({
    ...{ id: 3, sku: "A-1", unit_price: 12.5, refund: null, state: "returned" },
    ...{ sold_at: "1970-01-01T00:00:00.000Z", returned_at: "1970-01-01T00:00:01.000Z" },
  });
});

it("shows a field's own value instead of its column", () => {
  const own = { state: "sold", returned_at: null } as const;
  expect(toRecord(Sale, row, own)).toMatchObject({ returned_at: null, id: 3 });
});

it("does not compile without a column for each field, or with one of another type", () => {
  const { sku: _, ...incomplete } = row;
  expectTypeOf(incomplete).not.toExtend<Parameters<typeof toRecord<(typeof Sale)["shape"], { state: "sold" }>>[1]>();
  const wrong = { ...row, id: "3" };
  expectTypeOf(wrong).not.toExtend<Parameters<typeof toRecord<(typeof Sale)["shape"], { state: "sold" }>>[1]>();
  expectTypeOf(row).toExtend<Parameters<typeof toRecord<(typeof Sale)["shape"], { state: "sold" }>>[1]>();
});
