import { describe, expect, it } from "vitest";
import { aCheckedImport, anImport, failuresOf, productBySku } from "../support/jobs.ts";

// Format: https://help.shopify.com/en/manual/products/import-export/using-csv, with the columns until 2025 and the
// newer ones.
const headers = {
  "before 2025":
    "Handle,Title,Body (HTML),Vendor,Product Category,Type,Tags,Published,Option1 Name,Option1 Value,Option2 Name,Option2 Value,Option3 Name,Option3 Value,Variant SKU,Variant Grams,Variant Inventory Tracker,Variant Inventory Qty,Variant Inventory Policy,Variant Fulfillment Service,Variant Price,Variant Compare At Price,Variant Requires Shipping,Variant Taxable,Variant Barcode,Image Src,Image Position,Image Alt Text,Gift Card,SEO Title,Variant Image,Variant Weight Unit,Cost per item,Status",
  "since 2025":
    "URL handle,Title,Description,Vendor,Product category,Type,Tags,Published on online store,Option1 name,Option1 value,Option2 name,Option2 value,Option3 name,Option3 value,SKU,Weight value (grams),Inventory tracker,Inventory quantity,Continue selling when out of stock,Fulfillment service,Price,Compare-at price,Requires shipping,Charge tax,Barcode,Product image URL,Image position,Image alt text,Gift card,SEO title,Variant image URL,Weight unit for display,Cost per item,Status",
};

// Two variants of the first product, a row with only an image, then other products.
const LINES = `example-t-shirt,Example T-Shirt,"<p>Soft <em>cotton</em>,
with a print.</p><p>Wash cold.</p>",Acme,Apparel & Accessories > Clothing,Shirts,"mens, t-shirt",TRUE,Color,Lithograph,Size,S,,,shirt-1,3629,shopify,10,deny,manual,25.00,30.00,TRUE,TRUE,4006381333931,,1,Shirt,FALSE,Our awesome T-shirt,,g,5.00,active
example-t-shirt,,,,,,,,,Berry,,L,,,,3629,shopify,0,deny,manual,20.00,20.00,TRUE,TRUE,,,,,,,,g,,
example-t-shirt,,,,,,,,,,,,,,,,,,,,,,,,,,3,,,,,,,
handbook,Handbook,Plain text,Acme,Books > Print,,,TRUE,Title,Default Title,,,,,,0.0,,,deny,manual,9.99,,FALSE,FALSE,,,,,FALSE,,,g,,archived
preorder,Pre-order,,Acme,,,,FALSE,Title,Default Title,,,,,pre-1,100,shopify,-4,continue,manual,50.00,,TRUE,TRUE,,,,,FALSE,,,g,,active
gift-card,Gift card,,Acme,,Gift Cards,,TRUE,Denominations,10,,,,,,0,,,deny,gift_card,10.00,,FALSE,FALSE,,,,,TRUE,,,g,,active
untitled,,,Acme,,,,TRUE,Title,Default Title,,,,,un-1,0,,,deny,manual,abc,,TRUE,TRUE,,,,,FALSE,,,g,,active
`;

describe.each(Object.entries(headers))("a file with the columns of %s", (_, header) => {
  const file = `${header}\n${LINES}`;
  const names = header.split(",");
  const named = (old: string) => names[headers["before 2025"].split(",").indexOf(old)];

  it("is recognized by its columns, and names them in errors and in the list of those not imported", async () => {
    const checked = await aCheckedImport(file);
    expect(checked).toMatchObject({ state: "ready", format: "shopify", rows: 8, skipped: 1, failed: 2 });
    expect(checked.left_out).toEqual([{ column: named("Product Category"), rows: 1 }]);
    expect(await failuresOf(checked.check_job_id)).toMatchObject([
      { line: 4, field: named("Variant Compare At Price"), is_warning: true },
      { line: 7, field: named("Variant Inventory Policy"), is_warning: true },
      { line: 8, field: named("Gift Card"), code: "not_applicable" },
      { line: 9, field: "Title", code: "required" },
      { line: 9, field: named("Variant Price"), message: "must be a number" },
    ]);
  });
});

it("becomes a product with its variants, found by a generated name if they have no SKU", async () => {
  const file = `${headers["since 2025"]}\n${LINES}`;
  await anImport(file);
  expect(await productBySku("shirt-1")).toMatchObject({
    ...{ name: "Example T-Shirt", price: 25, compare_at_price: 30, status: "active", type: "physical" },
    ...{ description: "Soft *cotton*, with a print.\n\nWash cold.", category: { name: "Shirts" }, weight_grams: 3629 },
    ...{
      stock_quantity: 10,
      tax_class: "standard",
      tags: ["mens", "t-shirt"],
      brand: "Acme",
      barcode: "4006381333931",
      cost: 5,
    },
    seo_title: "Our awesome T-shirt",
  });
  expect(await productBySku("example-t-shirt-Berry-L")).toMatchObject({
    ...{ name: "Example T-Shirt", price: 20, compare_at_price: null, stock_quantity: 0 },
    ...{ category: { name: "Shirts" }, status: "active", brand: "Acme", barcode: null, cost: null },
    inherits: expect.arrayContaining(["brand", "seo_title", "seo_description"]),
  });
  expect(await productBySku("example-t-shirt")).toMatchObject({
    ...{ price: 20, price_range: { min: 20, max: 25 }, weight_grams: 3629, parent_id: null },
    ...{ brand: "Acme", barcode: null, cost: null },
    options: [
      { name: "Color", values: ["Lithograph", "Berry"] },
      { name: "Size", values: ["S", "L"] },
    ],
    variants: [
      { sku: "shirt-1", stock_quantity: 10, compare_at_price: 30 },
      { sku: "example-t-shirt-Berry-L", stock_quantity: 0, in_stock: false },
    ],
  });
  expect(await productBySku("handbook")).toMatchObject({
    ...{ name: "Handbook", price: 9.99, status: "draft", manage_stock: false, requires_shipping: false },
    ...{
      type: "digital",
      tax_class: "exempt",
      category: { path: [{ name: "Books" }, { name: "Print" }] },
      description: "Plain text",
    },
  });
  expect(await productBySku("pre-1")).toMatchObject({ status: "draft", manage_stock: false });
  const old = `${headers["before 2025"]}\n${LINES}`;
  expect(await aCheckedImport(old)).toMatchObject({ to_create: 0, to_update: 0, unchanged: 5 });
});

it("has the condition from the column for Google", async () => {
  const file = "Handle,Title,Variant SKU,Variant Price,Google Shopping / Condition\nlens,Lens,LENS-1,50,Refurbished\n";
  await anImport(file);
  expect(await productBySku("LENS-1")).toMatchObject({ name: "Lens", condition: "refurbished" });
});

it("reads unit prices in units that the shop has, and shares them among variants that have the same", async () => {
  const rows = [
    "Handle,Title,Option1 Name,Option1 Value,Variant SKU,Variant Price,Unit Price Total Measure,Unit Price Total Measure Unit,Unit Price Base Measure,Unit Price Base Measure Unit,Image Src,Variant Fulfillment Service",
    "soap,Soap,Scent,Rose,soap-rose,4.50,90,g,1,kg,,manual",
    "soap,,,Mint,soap-mint,4.50,90,g,1,kg,,manual",
    "soap,,,Large,soap-large,9.00,250,g,1,kg,,manual",
    "turf,Turf,Title,Default Title,turf,12.00,2.5,M2,1,M2,,manual",
    "rope,Rope,Title,Default Title,rope,3.00,500,mm,1,m,,manual",
    "card,Card,Title,Default Title,card,2.00,0,,0,,,manual",
  ];
  const done = await anImport(rows.join("\n"));
  expect(done).toMatchObject({ failed: 0, left_out: [{ column: "Unit Price Total Measure", rows: 1 }] });
  const unitPriceOf = async (sku: string) => (await productBySku(sku)).unit_pricing?.price;
  expect(await Promise.all(["soap-rose", "soap-large", "turf"].map(unitPriceOf))).toEqual([50, 36, 4.8]);
  expect((await productBySku("soap-mint")).inherits).toContain("unit_pricing");
  expect((await productBySku("soap-large")).inherits).not.toContain("unit_pricing");
  expect(await Promise.all(["rope", "card"].map(unitPriceOf))).toEqual([undefined, undefined]);
});
