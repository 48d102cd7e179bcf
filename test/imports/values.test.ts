import { describe, expect, it } from "vitest";
import { administration } from "../support/administration.ts";
import { aCheckedImport, anImport, failuresOf, productBySku, runJob } from "../support/jobs.ts";
import { anAdministrator } from "../support/panel.ts";
import { aProduct } from "../support/shop.ts";
import { aForm } from "../support/uploads.ts";

const { ask } = administration();

type Listed = Record<string, unknown> & { sku: string };

async function products(): Promise<Map<string, Listed>> {
  const { body } = await ask("GET /admin/products?per_page=100");
  return new Map(body.data.map((each: Listed) => [each.sku, each]));
}

const wooFile = (names: string, ...rows: string[]) => [`Type,SKU,Name,Regular price,${names}`, ...rows].join("\n");

it("refuses each product of an unknown type, and names the type", async () => {
  const types = ["subscription", "variable-subscription", "bundle", "booking", "woosb", "simple, auction", "grouped"];
  const rows = types.map((type, n) => `"${type}",TYPE-${n},Goods,5,1`);
  const checked = await aCheckedImport(wooFile("Published", ...rows, "SIMPLE,TYPE-S,Goods,5,1"));
  expect(checked).toMatchObject({ to_create: 1, failed: types.length });
  const failures = await failuresOf(checked.check_job_id);
  expect(failures.map(({ message }: { message: string }) => message)).toEqual(
    types.map((type) => expect.stringContaining(type.replace("simple, ", ""))),
  );
});

it("compares WooCommerce's keywords ignoring case and spaces", async () => {
  const file = wooFile(
    "Published,Visibility in catalog,Tax status,Tax class,Stock,Backorders allowed?",
    "Simple,WCASE-1,Hidden one,5,YES, Hidden ,Taxable,Reduced-Rate,3,NO",
    '"SIMPLE, Virtual",WCASE-2,Untaxed,5,True,VISIBLE,None,,,',
    "simple,WCASE-3,Back,5,1,visible,taxable,Zero Rate,3,Yes",
  );
  await anImport(file);
  const found = await products();
  expect(found.get("WCASE-1")).toMatchObject({ status: "draft", tax_class: "reduced", stock_quantity: 3 });
  expect(found.get("WCASE-2")).toMatchObject({ status: "active", tax_class: "exempt", type: "service" });
  expect(found.get("WCASE-3")).toMatchObject({ status: "active", tax_class: "zero", manage_stock: false });
});

it("compares keywords of our own format and Shopify's ignoring case and spaces", async () => {
  await anImport("sku,name,type,price,status,tax_class,currency\nOCASE-1,Mug, Physical ,5,ACTIVE,Reduced,usd\n", {});
  const shopify = `Handle,Title,Status,Published,Option1 Name,Option1 Value,Variant SKU,Variant Price,Variant Inventory Policy,Variant Requires Shipping
mug,Mug,Active,True,Title,DEFAULT TITLE,SCASE-1,5,Deny,FALSE`;
  await anImport(shopify);
  const found = await products();
  expect(found.get("OCASE-1")).toMatchObject({ type: "physical", status: "active", tax_class: "reduced" });
  expect(found.get("SCASE-1")).toMatchObject({ name: "Mug", type: "digital", status: "active" });
  const customers = await aCheckedImport("email,name,role\nrole-case@example.com,Maria, Customer \n", {
    ...{ resource: "customers", name: "customers.csv" },
  });
  expect(customers).toMatchObject({ to_create: 1, failed: 0 });
});

it("ignores a sale that is no reduction, with a warning", async () => {
  const { check_job_id } = await anImport(
    wooFile("Sale price", "simple,UP-1,Up,20,25", "simple,UP-2,Same,20,20", "simple,UP-3,Down,20,15"),
  );
  const found = await products();
  expect(found.get("UP-1")).toMatchObject({ price: 20, compare_at_price: null });
  expect(found.get("UP-2")).toMatchObject({ price: 20, compare_at_price: null });
  expect(found.get("UP-3")).toMatchObject({ price: 15, compare_at_price: 20 });
  expect(await failuresOf(check_job_id)).toMatchObject([
    { line: 2, field: "Sale price", is_warning: true },
    { line: 3, field: "Sale price", is_warning: true },
  ]);
});

const dates = "Sale price,Date sale price starts,Date sale price ends";

it("reads dates of a sale as people write them, and refuses invalid dates", async () => {
  const file = wooFile(
    dates,
    "simple,DATE-1,Ended,20,15,01/12/2020,24/12/2020",
    'simple,DATE-2,Named,20,15,,"Dec 24, 2020"',
    "simple,DATE-3,On,20,15,01.02.2020,24.12.2098",
    "simple,DATE-4,Unreadable,20,15,soon,2098-12-24",
    "simple,DATE-5,Later,20,15,12/24/2098,12/25/2098",
    "simple,DATE-6,No sale,20,,soon,",
  );
  const { check_job_id } = await anImport(file);
  const found = await products();
  expect(["DATE-1", "DATE-2", "DATE-3", "DATE-5", "DATE-6"].map((sku) => found.get(sku)?.price)).toEqual([
    20, 20, 15, 20, 20,
  ]);
  expect(found.has("DATE-4")).toBe(false);
  expect(await failuresOf(check_job_id)).toMatchObject([
    { line: 5, field: "Date sale price starts", code: "invalid_format", is_warning: false },
    { line: 6, field: "Date sale price starts", is_warning: true, message: expect.stringContaining("2098-12-24") },
  ]);
});

it("ignores a compare-at price that is not higher, with a warning, in every format", async () => {
  await aProduct({ sku: "CMP-OLD", price: 1000, compareAtPrice: 1500 });
  const own =
    "sku,name,type,price,compare_at_price\nCMP-1,One,physical,5,5\nCMP-2,Two,physical,5,6\nCMP-3,Three,physical,5,4\n";
  const made = await anImport(own);
  const raised = await anImport("sku,price\nCMP-OLD,15\n");
  const shopify =
    "Handle,Title,Variant SKU,Variant Price,Variant Compare At Price\ncmp,Cmp,CMP-S,5,5\ncmp-0,Cmp,CMP-S0,5,0.00\n";
  const foreign = await anImport(shopify);
  const found = await products();
  expect(["CMP-1", "CMP-2", "CMP-3", "CMP-OLD", "CMP-S"].map((sku) => found.get(sku)?.compare_at_price)).toEqual([
    null,
    6,
    null,
    null,
    null,
  ]);
  const warned = { code: "not_applicable", is_warning: true };
  const field = "compare_at_price";
  expect(await failuresOf(made.job_id)).toMatchObject([
    { line: 2, field, ...warned },
    { line: 4, field, ...warned },
  ]);
  expect(await failuresOf(raised.job_id)).toMatchObject([{ line: 2, field, ...warned }]);
  expect(await failuresOf(foreign.job_id)).toMatchObject([{ line: 2, field: "Variant Compare At Price", ...warned }]);
});

it("takes products of a file without types for goods, and reads a barcode after a spreadsheet's apostrophe", async () => {
  await anImport("sku,name,price,barcode\nDEFAULT-1,Mug,5,'4006381333931\n", {});
  expect((await products()).get("DEFAULT-1")).toMatchObject({
    type: "physical",
    requires_shipping: true,
    barcode: "4006381333931",
  });
});

it.each(["products", "customers"] as const)("imports the template of %s as it is downloaded", async (resource) => {
  const { html, headers } = await (await anAdministrator()).get(`/admin/imports/${resource}/template`);
  expect(headers.get("Content-Disposition")).toContain(`${resource}-template.csv`);
  const checked = await aCheckedImport(html, { resource });
  expect(checked).toMatchObject({ to_create: resource === "products" ? 4 : 1, failed: 0, left_out: [] });
});

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
