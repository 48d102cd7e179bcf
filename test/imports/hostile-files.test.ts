import { describe, expect, it } from "vitest";
import { MAX_ROW_CHARACTERS } from "../../src/back-office/imports/reading/record.ts";
import { administration } from "../support/administration.ts";
import { aCheckedImport, anImport, failuresOf, jobOf } from "../support/jobs.ts";

const { ask } = administration();

const firstFailureOf = async (content: string) => {
  const { state, check_job_id } = await aCheckedImport(content);
  return { state, failure: (await failuresOf(check_job_id))[0] };
};

describe("a file designed to be read forever", () => {
  // Far longer than a row may be. An importer that read a row anew with each chunk would take quadratic time.
  const LONG = 8 * MAX_ROW_CHARACTERS;
  const endless = {
    "one line": `sku,name\n${"a".repeat(LONG)}`,
    "nothing but spaces": " ".repeat(LONG),
  };
  it.each(Object.entries(endless))("is given up early: %s", async (_, content) => {
    expect(await firstFailureOf(content)).toMatchObject({ state: "unreadable", failure: { code: "too_big" } });
  });

  it("is read once: nothing but empty lines", async () => {
    expect(await aCheckedImport(`sku,name\n${"\n".repeat(1_000_000)}`)).toMatchObject({
      state: "ready",
      rows: 0,
    });
  });
});

describe("a row too long for any slice", () => {
  const cell = "\u0001".repeat(250_000);
  const address = `https://pictures.example/${"a".repeat(250_000)}`;
  const long = {
    "for what its cells are as JSON": {
      file: [
        "sku,name,type,price,description,slug,category,status",
        ...Array.from({ length: 300 }, (_, at) => `LONG-${at},x,physical,1,,,,`),
        `LONG-L,x,physical,1,${cell},${cell},${cell},`,
        "LONG-Z,x,physical,1,,,,",
      ],
      done: 301,
    },
    "for the rows that are one product's": {
      file: [
        "Handle,Title,Variant SKU,Variant Price,Image Src",
        "first,First,LONG-1,1,",
        ...Array.from({ length: 20 }, (_, at) => `long,Long,,1,${address}${at}`),
        "last,Last,LONG-2,1,",
      ],
      done: 2,
    },
  };
  it.each(Object.entries(long))("fails, and the rows after it are imported: %s", async (_, { file, done }) => {
    const { to_create, failed, rows, check_job_id } = await aCheckedImport(file.join("\n"));
    expect({ to_create, failed }).toEqual({ to_create: done, failed: rows - done });
    expect((await failuresOf(check_job_id))[0]).toMatchObject({ code: "too_big", is_warning: false });
  });
});

it("is refused if sharing texts with variants would multiply its length by a hundred", async () => {
  const variants = Array.from({ length: 200 }, (_, at) => `wide,,,WIDE-${at},1`);
  const file = [
    "Handle,Title,Body (HTML),Variant SKU,Variant Price",
    `wide,Wide,${"w".repeat(250_000)},WIDE,1`,
    ...variants,
  ];
  expect(await firstFailureOf(file.join("\n"))).toMatchObject({ state: "unreadable", failure: { code: "too_big" } });
});

it("shortens a URL that could not be fetched, and gives the reason", async () => {
  const address = `ftp://pictures.example/${"a".repeat(1_000)}`;
  const { failure } = await firstFailureOf(`Type,SKU,Name,Regular price,Images\nsimple,LONG-1,x,5,${address}\n`);
  expect(failure).toMatchObject({
    code: "not_fetched",
    message: expect.stringMatching(/^ftp:.{200,} must begin with https/),
  });
});

it("shortens the names of columns that are not imported", async () => {
  const header = `Type,SKU,Name,Regular price,${"column".repeat(1_000)}`;
  const { left_out } = await aCheckedImport(`${header}\nsimple,NAMED-1,x,5,y\n`);
  expect(left_out).toEqual([{ column: "column".repeat(1_000).slice(0, 200), rows: 1 }]);
});

it("leaves ids for later rows, whatever id a row contains", async () => {
  const row = { name: "Greedy", type: "physical", price: 1 };
  const rows = [
    { ...row, sku: "GREEDY-1", id: Number.MAX_SAFE_INTEGER },
    { ...row, sku: "GREEDY-2", category: { id: Number.MAX_SAFE_INTEGER, name: "Greedy" } },
    { ...row, sku: "GREEDY-3", category: "Greedy", category_id: Number.MAX_SAFE_INTEGER },
  ];
  const done = await anImport(rows.map((each) => JSON.stringify(each)).join("\n"), { name: "greedy.ndjson" });
  expect(done).toMatchObject({ to_create: 1, failed: 2 });
  expect(await failuresOf(done.check_job_id)).toMatchObject([
    { line: 1, field: "id", code: "too_big" },
    { line: 2, field: expect.stringContaining("category") },
  ]);
  const { body } = await ask("POST /admin/products", { ...row, sku: "LATER-1" });
  expect(body.data.id).toBeLessThan(2 ** 52);
  const { body: category } = await ask("POST /admin/categories", { name: "Later" });
  expect(category.data.id).toBeLessThan(2 ** 52);
});

it("refuses half a character anywhere in NDJSON, and names its field", async () => {
  const half = "\ud83d";
  const rows = [
    { sku: `HALF-${half}` },
    { description: half },
    { category: half },
    { metadata: { colour: half } },
    { metadata: { [half]: "red" } },
    { [half]: "red" },
  ].map((fields, at) => ({ sku: `HALF-${at}`, name: "Half", type: "physical", price: 1, ...fields }));
  const { check_job_id, ...checked } = await aCheckedImport(rows.map((each) => JSON.stringify(each)).join("\n"), {
    name: "half.ndjson",
  });
  expect(checked).toMatchObject({ state: "ready", failed: rows.length });
  const failures: { field: string }[] = await failuresOf(check_job_id);
  expect(failures.map(({ field }) => field)).toEqual([
    ...["sku", "description", "category", "metadata.colour"],
    ...["metadata.\ufffd", "\ufffd"],
  ]);
});

it("ignores columns with names that every object has, and refuses duplicate names", async () => {
  const odd = await aCheckedImport("sku,name,type,price,constructor,__proto__\nP-1,x,physical,1,y,z\n");
  expect(odd).toMatchObject({
    ...{ to_create: 1, failed: 0 },
    left_out: [
      { column: "constructor", rows: 1 },
      { column: "__proto__", rows: 1 },
    ],
  });
  const twice = await firstFailureOf("sku,name,type,price,price\nP-2,x,physical,1,99\n");
  expect(twice).toMatchObject({ state: "unreadable", failure: { line: 1, field: "price", code: "repeated" } });
});

it("keeps the first thousand failures, however many and long they are", async () => {
  const names = Array.from({ length: 20 }, (_, at) => `${"column".repeat(100)}${at}`);
  const fields = Object.fromEntries(names.map((name) => [name, "x"]));
  const lines = Array.from({ length: 200 }, (_, at) => JSON.stringify({ sku: `F-${at}`, ...fields }));
  const checked = await aCheckedImport(lines.join("\n"), { name: "long.ndjson" });
  expect(checked).toMatchObject({ state: "ready", rows: 200, failed: 200 });
  expect(await jobOf(checked.check_job_id)).toMatchObject({ state: "completed", failed: 200 });
  const failures = await failuresOf(checked.check_job_id);
  expect(failures).toHaveLength(100);
  expect(Math.max(...failures.map(({ field }: { field: string }) => field.length))).toBe(500);
});
