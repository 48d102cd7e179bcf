import { beforeEach, expect, it } from "vitest";
import { administration } from "../support/administration.ts";
import { call } from "../support/call.ts";
import { aCheckedImport, anImport, failuresOf, jobOf, productBySku, runJob } from "../support/jobs.ts";
import { aProduct, aUser, orderOf } from "../support/shop.ts";

const { ask } = administration();
let made = 0;
/** A prefix of SKUs that no other test uses. */
let word: string;

beforeEach(async () => {
  word = `OWN${++made}`;
});

const HEADER =
  "sku,parent_sku,name,type,status,price,stock_quantity,weight_grams,option_1_name,option_1_value,option_2_name,option_2_value";
const fileOf = (...lines: string[]) => [HEADER, ...lines.map((line) => line.replaceAll("?", word))].join("\n");
const SHIRT = [
  "?,,Shirt,physical,active,,,200,Size,S | M,Color,Red | Dark\\|blue",
  "?-S,?,,,,20,5,,Size,S,Color,Red",
  "?-M,?,,,,25,0,300,size,m,Color,Dark|blue",
];

const bySku = (suffix = "") => productBySku(`${word}${suffix}`);
const failures = async (file: string) => {
  const { check_job_id } = await aCheckedImport(file);
  return (await failuresOf(check_job_id)).map(({ line, field, code }: Record<string, unknown>) => [line, field, code]);
};
const undo = async (id: number) => {
  const { body } = await ask(`POST /admin/jobs/${id}/undo`, {});
  await runJob(body.data.id);
  return jobOf(body.data.id);
};

it("become variants of the product above them, with their own fields", async () => {
  expect(await anImport(fileOf(...SHIRT))).toMatchObject({ rows: 3, to_create: 3, failed: 0 });
  const shirt = await bySku();
  expect(shirt).toMatchObject({
    ...{ price: 20, price_range: { min: 20, max: 25 }, manage_stock: false, in_stock: true, variant_count: 2 },
    options: [
      { name: "Size", values: ["S", "M"] },
      { name: "Color", values: ["Red", "Dark|blue"] },
    ],
  });
  expect(await bySku("-S")).toMatchObject({ name: "Shirt", weight_grams: 200, stock_quantity: 5, parent_id: shirt.id });
  const large = await bySku("-M");
  expect(large).toMatchObject({
    ...{ weight_grams: 300, in_stock: false, inherits: expect.not.arrayContaining(["weight_grams"]) },
    option_values: [
      { name: "Size", value: "M" },
      { name: "Color", value: "Dark|blue" },
    ],
  });
  expect(await aCheckedImport(fileOf(...SHIRT))).toMatchObject({ unchanged: 3, to_update: 0 });
});

it("change with the next file, and inherit again the fields that it leaves empty", async () => {
  await anImport(fileOf(...SHIRT));
  const [shirt = "", small = "", large = ""] = SHIRT;
  const next = fileOf(
    shirt.replace("200", "220").replace("S | M", "M | L | S"),
    small.replace("20,5", "19.5,7"),
    large.replace("300", ""),
    "?-L,?,,,draft,30,,,Size,L,Color,Red",
  );
  expect(await anImport(next)).toMatchObject({ to_create: 1, to_update: 3, failed: 0 });
  expect(await bySku()).toMatchObject({
    ...{ price: 19.5, price_range: { min: 19.5, max: 25 }, variant_count: 3 },
    options: [{ name: "Size", values: ["M", "L", "S"] }, { name: "Color" }],
  });
  expect(await bySku("-S")).toMatchObject({ stock_quantity: 7, weight_grams: 220 });
  expect(await bySku("-M")).toMatchObject({ weight_grams: 220, inherits: expect.arrayContaining(["weight_grams"]) });
  expect(await bySku("-L")).toMatchObject({ status: "draft" });
  expect(await anImport(`sku,price,weight_grams\n${word}-S,21,220`)).toMatchObject({ to_update: 1, failed: 0 });
  expect(await bySku("-S")).toMatchObject({ price: 21, inherits: expect.arrayContaining(["weight_grams", "name"]) });
});

it("are refused by line if they do not fit, and nothing else is", async () => {
  await aProduct({ sku: `${word}-SOLD` });
  await anImport(fileOf(...SHIRT));
  const file = fileOf(
    "?,,Shirt,physical,active,,,200,Size,S | M,Color,Red | Green",
    "?-1,?,,,,20,,,Size,XL,Color,Red",
    "?-2,?,,,,20,,,Size,M,,",
    "?-3,?,,,,20,,,Size,M,Material,Wool",
    "?-4,NOBODY,,,,20,,,Size,M,Color,Red",
    "?-SOLD,?,,,,20,,,Size,M,Color,Red",
    "?-5,?,,,,20,,,Size,M,Color,Green",
    "?-6,?,,,,20,,,Size,M,Color,Green",
    "?-7,?,,,,,,,Size,S,Color,Green",
    "?-8,?-S,,,,20,,,Size,S,Color,Green",
    "?-9,,Other,physical,active,,,,Size,,,",
  );
  expect(await failures(file)).toEqual([
    [3, "option_values", "unknown_reference"],
    [4, "option_values", "required"],
    [5, "option_values", "required"],
    [6, "parent_sku", "unknown_reference"],
    [7, "parent_sku", "not_applicable"],
    [9, "option_values", "option_values_taken"],
    [10, "price", "required"],
    [11, "parent_sku", "not_applicable"],
    [12, "options.0.values", "too_small"],
  ]);
  expect(await anImport(file)).toMatchObject({ to_create: 1, to_update: 1, failed: 9 });
});

it("keep their options, which a file can only add to", async () => {
  await anImport(fileOf(...SHIRT));
  const renamed = fileOf("?,,Shirt,physical,active,,,200,Length,S | M,Color,Red");
  expect(await failures(renamed)).toEqual([[2, "options", "not_applicable"]]);
  const fewer = fileOf("?,,Shirt,physical,active,,,200,Size,m,Color,Red");
  expect(await anImport(fewer)).toMatchObject({ to_update: 1, failed: 0 });
  expect((await bySku()).options[0]).toEqual({ name: "Size", values: ["M", "S"] });
});

it("are deleted with their product by an undo, unless they were sold or edited", async () => {
  const { job_id } = await anImport(fileOf(...SHIRT));
  expect(await undo(job_id)).toMatchObject({ state: "completed", done: 3, failed: 0 });
  expect([await bySku(), await bySku("-S")]).toEqual([undefined, undefined]);
  const again = await anImport(fileOf(...SHIRT));
  const buyer = await aUser({ wallet: 10_000 });
  const { id } = await bySku("-S");
  const { status } = await call("POST /orders", { as: buyer.token, body: orderOf({ id, price: 2_000 }) });
  expect(status).toBe(201);
  expect(await undo(again.job_id)).toMatchObject({ done: 3, failed: 0, warnings: 2 });
  expect(await bySku("-M")).toBeUndefined();
  expect(await bySku()).toMatchObject({ status: "draft", variant_count: 1 });
  expect(await bySku("-S")).toMatchObject({ status: "draft" });
});

it("are restored by the undo of a second import, except where edited since", async () => {
  await anImport(fileOf(...SHIRT));
  const before = await Promise.all([bySku(), bySku("-S"), bySku("-M")]);
  const [shirt = "", small = "", large = ""] = SHIRT;
  const next = fileOf(
    shirt.replace("200", "220").replace("S | M", "S | M | L"),
    small.replace("20,5,", "22,5,50"),
    large.replace("300", ""),
    "?-L,?,,,,30,,,Size,L,Color,Red",
  );
  const { job_id } = await anImport(next);
  expect(await bySku("-S")).toMatchObject({ price: 22, weight_grams: 50 });
  expect(await undo(job_id)).toMatchObject({ state: "completed", done: 4, failed: 0 });
  const after = await Promise.all([bySku(), bySku("-S"), bySku("-M")]);
  expect(after).toEqual(before.map((row) => ({ ...row, updated_at: expect.any(String) })));
  const edited = await anImport(next);
  await ask(`PUT /admin/products/${before[1].id}`, { price: 99 });
  expect(await undo(edited.job_id)).toMatchObject({ done: 2, failed: 2 });
  expect(await bySku("-S")).toMatchObject({ price: 99 });
});

it("are included in exports filtered by product, and can be imported from these", async () => {
  await anImport(fileOf(...SHIRT));
  const { body } = await ask(`GET /admin/exports/products/csv?search=${word}&status=active`);
  const lines: string[] = body.trim().split("\r\n");
  expect(lines).toHaveLength(4);
  expect(lines[0]).toContain("parent_sku,option_1_name,option_1_value,option_2_name");
  expect(lines[1]).toContain("Size,S | M,Color,Red | Dark\\|blue");
  expect(await aCheckedImport(body)).toMatchObject({ unchanged: 3, failed: 0 });
  const { body: found } = await ask(`GET /admin/exports/products/ndjson?search=${word}-M`);
  const ids: number[] = found
    .trim()
    .split("\n")
    .map((line: string) => JSON.parse(line).id);
  expect(ids).toEqual([(await bySku()).id, (await bySku("-S")).id, (await bySku("-M")).id]);
  // Exports can also resume after a variant.
  const { body: rest } = await ask(`GET /admin/exports/products/csv?search=${word}-M&after_id=${ids[1]}`);
  expect(rest.trim().split("\r\n")).toEqual([lines[0], lines[3]]);
});

it("count as unedited for an undo if the import changed inherited fields in another slice", async () => {
  const sizes = Array.from({ length: 120 }, (_, n) => `n${n}`);
  const rope = `?,,Rope,physical,active,,,,Length,${sizes.join(" | ")},,`;
  const variants = (price: number) => sizes.map((size) => `?-${size},?,,,,${price},,,Length,${size},,`);
  await anImport(fileOf(rope, ...variants(1)));
  const before = await bySku("-n0");
  const { job_id } = await anImport(fileOf(...variants(2), rope.replace("Rope", "Cord")));
  expect(await bySku("-n0")).toMatchObject({ name: "Cord", price: 2 });
  expect(await undo(job_id)).toMatchObject({ state: "completed", done: 121, failed: 0 });
  expect(await bySku("-n0")).toEqual({ ...before, updated_at: expect.any(String) });
});

it("are imported from files of many slices, with their product in the first", async () => {
  const sizes = Array.from({ length: 230 }, (_, n) => `n${n}`);
  const file = fileOf(
    `?,,Rope,physical,active,,,,Length,${sizes.join(" | ")},,`,
    ...sizes.map((size) => `?-${size},?,,,,1,,,Length,${size},,`),
  );
  const done = await anImport(file);
  expect(done).toMatchObject({ rows: 231, to_create: 231, failed: 0 });
  expect(await bySku()).toMatchObject({ variant_count: 230 });
  expect(await undo(done.job_id)).toMatchObject({ done: 231, failed: 0 });
  expect(await bySku()).toBeUndefined();
});

const TWO_OPTIONS = "Handle,Title,Option1 Name,Option1 Value,Option2 Name,Option2 Value,Variant SKU,Variant Price";

type Variant = [handle: string, sku: string, price: number, ...options: string[]];
const fileOfVariants = (variants: Variant[]) =>
  [
    TWO_OPTIONS,
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
  const { job_id, check_job_id, ...made } = await anImport(fileOfVariants(BLOUSES));
  expect(made).toMatchObject({ to_create: 5, failed: 0 });
  expect(await pricesBySku()).toMatchObject({ "SH-12-White-2": 1, "SH-12-White-4": 2, "SH-12-Navy-2": 3, "SH-13": 4 });
  const warnings = [2, 3, 4].map((line) => ({ line, field: "Variant SKU", code: "repeated", is_warning: true }));
  expect(await failuresOf(check_job_id)).toMatchObject(warnings);
  expect(await failuresOf(job_id)).toMatchObject(warnings);
});

it("are found by the next import, in any order of rows", async () => {
  await anImport(fileOfVariants(BLOUSES));
  const reversed = BLOUSES.toReversed().map(
    ([handle, sku, price, ...options]): Variant => [...[handle, sku, price + 10], ...options] as Variant,
  );
  expect(await anImport(fileOfVariants(reversed))).toMatchObject({ to_create: 0, to_update: 5, failed: 0 });
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
  expect(await anImport(fileOfVariants(variants))).toMatchObject({ to_create: 4, failed: 0 });
  expect(await pricesBySku()).toMatchObject({ "SH-X-cup": 1, "SH-X-mug": 2, "SH-X-jug-Red": 3 });
  expect(await aCheckedImport(fileOfVariants(variants.toReversed()))).toMatchObject({ unchanged: 4, to_create: 0 });
});

it("leave alone a variant whose own SKU is the one that another would get", async () => {
  const variants: Variant[] = [
    ["hat", "SH-H", 1, "Red"],
    ["hat", "SH-H", 2, "Blue"],
    ["scarf", "SH-H-Red", 3],
  ];
  expect(await anImport(fileOfVariants(variants))).toMatchObject({ to_create: 4, failed: 0 });
  expect(await pricesBySku()).toMatchObject({ "SH-H-hat-Red": 1, "SH-H-Blue": 2, "SH-H-Red": 3 });
});

it("are made from the handle and the options if a variant has none, and are never too long", async () => {
  const [sock, long] = ["warm-".repeat(5), "Very-long-option-".repeat(5)];
  const variants: Variant[] = [
    [sock, "", 1, `${long}1`],
    [sock, "", 2, `${long}2`],
    [sock, "", 3, "S"],
  ];
  expect(await anImport(fileOfVariants(variants))).toMatchObject({ to_create: 4, failed: 0 });
  expect(await pricesBySku()).toMatchObject({ [`${sock}-S`]: 3 });
  expect(await aCheckedImport(fileOfVariants(variants.toReversed()))).toMatchObject({ unchanged: 3 });
});
