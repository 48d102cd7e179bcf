import { describe, expect, it } from "vitest";
import { administration } from "../support/administration.ts";
import { aCheckedImport, anImport, failuresOf, productBySku, runJob } from "../support/jobs.ts";
import { aForm } from "../support/uploads.ts";

const { ask } = administration();

const own = (prefix: string, ...prices: string[]) =>
  ["sku;name;type;price", ...prices.map((price, at) => `${prefix}-${at};Thing;physical;${price}`)].join("\n");

describe("an ambiguous number", () => {
  it("is refused with both readings while nothing decides, and is read as chosen", async () => {
    const checked = await aCheckedImport(own("TWO", "1,000", "1.990", "5"));
    expect(checked).toMatchObject({
      ...{ state: "ready", rows: 3, to_create: 1, failed: 2, decimal_separator: null },
      ambiguous_columns: [{ column: "price", rows: 2, example: "1,000" }],
    });
    expect(await failuresOf(checked.check_job_id)).toMatchObject([
      {
        line: 2,
        sku: "TWO-0",
        name: "Thing",
        field: "price",
        code: "ambiguous_number",
        message: expect.stringMatching(/1000 or 1\b/),
      },
      {
        line: 3,
        sku: "TWO-1",
        field: "price",
        code: "ambiguous_number",
        message: expect.stringMatching(/1990 or 1.99/),
      },
    ]);
    const { body } = await ask(`POST /admin/imports/products/${checked.id}/check`, { decimal_separator: "." });
    expect(body.data).toMatchObject({ state: "checking", decimal_separator: ".", to_create: 0 });
    await runJob(body.data.check_job_id);
    const again = (await ask(`GET /admin/imports/products/${checked.id}`)).body.data;
    expect(again).toMatchObject({ state: "ready", to_create: 3, failed: 0, ambiguous_columns: [] });
    const started = await ask(`POST /admin/imports/products/${checked.id}/start`, {});
    await runJob(started.body.data.job_id);
    expect([(await productBySku("TWO-0")).price, (await productBySku("TWO-1")).price]).toEqual([1000, 1.99]);
    const late = await ask(`POST /admin/imports/products/${checked.id}/check`, {});
    expect([late.status, late.body.code]).toEqual([409, "wrong_job_state"]);
  });

  it.each([
    ["a value with decimals behind it", ["1,000", "12.50"], [1000, 12.5]],
    ["a value with decimals before it", ["64,99", "1,500"], [64.99, 1.5]],
    ["a value with both separators", ["1.990", "1.234,56"], [1990, 1234.56]],
    ["a separator that is repeated", ["2,500", "1,000,000"], [2500, 1_000_000]],
  ])("is decided by the rest of its column: %s", async (name, texts, prices) => {
    const prefix = name.replaceAll(" ", "");
    await anImport(own(prefix, ...texts));
    expect(await Promise.all(prices.map(async (_, at) => (await productBySku(`${prefix}-${at}`)).price))).toEqual(
      prices,
    );
  });

  it("is not decided by a column that contradicts itself, or by another column", async () => {
    const both = await aCheckedImport(own("BOTH", "1,000", "64,99", "0.10"));
    expect(both).toMatchObject({ to_create: 2, failed: 1 });
    const file = "sku;name;type;price;weight_grams\nOTHER-1;x;physical;12.50;1,800\n";
    expect(await aCheckedImport(file)).toMatchObject({
      failed: 1,
      ambiguous_columns: [{ column: "weight_grams" }],
    });
  });

  it.each([
    [
      "woocommerce",
      'SKU,Name,Regular price,Stock,Weight (g)\nWOO-A,x,5,"1,200",1\nWOO-B,x,5,1,"1,800"\nWOO-C,x,2.500,1,1\n',
      3,
    ],
    [
      "shopify",
      'Handle,Title,Variant SKU,Variant Price,Variant Grams,Variant Inventory Qty\na,A,SH-A,"1,000",1,1\nb,B,SH-B,5,1.800,1\nc,C,SH-C,5,1,"1,200"\n',
      3,
    ],
  ])("is refused in every numeric column of %s", async (format, file, failed) => {
    const checked = await aCheckedImport(file);
    expect(checked).toMatchObject({ format, failed, to_create: 0 });
    expect((await failuresOf(checked.check_job_id)).map(({ code }: { code: string }) => code)).toEqual(
      Array.from({ length: failed }, () => "ambiguous_number"),
    );
  });
});

it("accepts a choice with the upload, and refuses an unknown one", async () => {
  const content = own("UP", "1,000");
  const form = aForm({ decimal_separator: "," }, { content, name: "p.csv" });
  const { body } = await ask("POST /admin/imports/products", form);
  expect(body.data).toMatchObject({ decimal_separator: "," });
  const wrong = aForm({ decimal_separator: ";" }, { content, name: "p.csv" });
  const refused = await ask("POST /admin/imports/products", wrong);
  expect([refused.status, refused.body.errors.decimal_separator.length]).toEqual([400, 1]);
});
