import { expect, it } from "vitest";
import { administration } from "../support/administration.ts";
import { aCheckedImport, anImport, failuresOf } from "../support/jobs.ts";

const { ask } = administration();

const HEADER = "Handle,Title,Option1 Name,Option1 Value,Option2 Name,Option2 Value,Variant SKU,Variant Price";

type Variant = [handle: string, sku: string, price: number, ...options: string[]];
const fileOf = (variants: Variant[]) =>
  [
    HEADER,
    ...variants.map(([handle, sku, price, first = "", second = ""]) =>
      [handle, `Goods ${handle}`, "A", first, "B", second, sku, price].join(","),
    ),
  ].join("\n");

async function pricesBySku(): Promise<Record<string, number>> {
  const { body } = await ask("GET /admin/exports/products/ndjson");
  const rows: { sku: string; price: number }[] = body
    .trim()
    .split("\n")
    .map((line: string) => JSON.parse(line));
  return Object.fromEntries(rows.map(({ sku, price }) => [sku, price]));
}

const BLOUSES: Variant[] = [
  ["blouse", "SH-12", 1, "White", "2"],
  ["blouse", "SH-12", 2, "White", "4"],
  ["blouse", "SH-12", 3, "Navy", "2"],
  ["blouse", "SH-13", 4, "Navy", "4"],
];

it("are distinguished by the options of their variants, each with a warning", async () => {
  const { job_id, check_job_id, ...made } = await anImport(fileOf(BLOUSES));
  expect(made).toMatchObject({ to_create: 5, failed: 0 });
  expect(await pricesBySku()).toMatchObject({ "SH-12-White-2": 1, "SH-12-White-4": 2, "SH-12-Navy-2": 3, "SH-13": 4 });
  const warnings = [2, 3, 4].map((line) => ({ line, field: "Variant SKU", code: "repeated", is_warning: true }));
  expect(await failuresOf(check_job_id)).toMatchObject(warnings);
  expect(await failuresOf(job_id)).toMatchObject(warnings);
});

it("are found by the next import, in any order of rows", async () => {
  await anImport(fileOf(BLOUSES));
  const reversed = BLOUSES.toReversed().map(
    ([handle, sku, price, ...options]): Variant => [...[handle, sku, price + 10], ...options] as Variant,
  );
  expect(await anImport(fileOf(reversed))).toMatchObject({ to_create: 0, to_update: 5, failed: 0 });
  expect(await pricesBySku()).toMatchObject({
    ...{ "SH-12-White-2": 11, "SH-12-White-4": 12, "SH-12-Navy-2": 13, "SH-13": 14 },
  });
});

it("of several products are distinguished by their handles too, in any order", async () => {
  const variants: Variant[] = [
    ["cup", "SH-X", 1],
    ["mug", "SH-X", 2],
    ["jug", "SH-X", 3, "Red"],
  ];
  expect(await anImport(fileOf(variants))).toMatchObject({ to_create: 4, failed: 0 });
  expect(await pricesBySku()).toMatchObject({ "SH-X-cup": 1, "SH-X-mug": 2, "SH-X-jug-Red": 3 });
  expect(await aCheckedImport(fileOf(variants.toReversed()))).toMatchObject({ unchanged: 4, to_create: 0 });
});

it("leave alone a variant whose own SKU is the one that another would get", async () => {
  const variants: Variant[] = [
    ["hat", "SH-H", 1, "Red"],
    ["hat", "SH-H", 2, "Blue"],
    ["scarf", "SH-H-Red", 3],
  ];
  expect(await anImport(fileOf(variants))).toMatchObject({ to_create: 4, failed: 0 });
  expect(await pricesBySku()).toMatchObject({ "SH-H-hat-Red": 1, "SH-H-Blue": 2, "SH-H-Red": 3 });
});

it("are made from the handle and the options if a variant has none, and are never too long", async () => {
  const [sock, long] = ["warm-".repeat(5), "Very-long-option-".repeat(5)];
  const variants: Variant[] = [
    [sock, "", 1, `${long}1`],
    [sock, "", 2, `${long}2`],
    [sock, "", 3, "S"],
  ];
  expect(await anImport(fileOf(variants))).toMatchObject({ to_create: 4, failed: 0 });
  expect(await pricesBySku()).toMatchObject({ [`${sock}-S`]: 3 });
  expect(await aCheckedImport(fileOf(variants.toReversed()))).toMatchObject({ unchanged: 3 });
});
