import { expect, it } from "vitest";
import { aCheckedImport, anImport, failuresOf, productBySku } from "../support/jobs.ts";
import { anAdministrator } from "../support/panel.ts";

// Format of WooCommerce's exporter: https://github.com/woocommerce/woocommerce/wiki/Product-CSV-Import-Schema
const HEADER =
  'ID,Type,SKU,"GTIN, UPC, EAN, or ISBN",Name,Published,"Is featured?","Visibility in catalog","Short description",Description,"Date sale price starts","Date sale price ends","Tax status","Tax class","In stock?",Stock,"Low stock amount","Backorders allowed?","Sold individually?","Weight (kg)","Length (cm)","Allow customer reviews?","Sale price","Regular price",Categories,Brands,"Cost of goods",Tags,Images,"Download limit","Download expiry days",Parent,Position,"Attribute 1 name","Attribute 1 value(s)","Attribute 1 visible","Attribute 1 global","Attribute 2 name","Attribute 2 value(s)","Meta: _wpcom_is_markdown","Download 1 name","Download 1 URL"';

type Cells = Partial<Record<string, string>>;
const GTIN = "GTIN, UPC, EAN, or ISBN";
const columns = HEADER.split(/,(?! UPC| EAN| or)/).map((name) => name.replaceAll('"', ""));
const defaults: Cells = {
  ...{ Type: "simple", Published: "1", "Is featured?": "0", "Visibility in catalog": "visible" },
  ...{
    "Tax status": "taxable",
    "In stock?": "1",
    "Backorders allowed?": "0",
    "Sold individually?": "0",
    Position: "0",
  },
};
const rowOf = (cells: Cells) =>
  columns.map((name) => `"${({ ...defaults, ...cells }[name] ?? "").replaceAll('"', '""')}"`).join(",");
const csvOf = (...rows: Cells[]) => `\uFEFF${[HEADER, ...rows.map(rowOf)].join("\n")}\n`;

const FILE = csvOf(
  {
    ...{ ID: "44", Type: "variable", SKU: "woo-vneck-tee", Name: "V-Neck T-Shirt", "Tax class": "reduced-rate" },
    ...{ Description: "<p>Soft &amp; light.</p>\\n<ul><li>Cotton</li><li>Made in EU</li></ul>", "Weight (kg)": ".5" },
    ...{ Categories: "Clothing, Clothing > Tshirts", Stock: "12", Tags: "summer", Brands: "Tees" },
    ...{ "Attribute 1 name": "Color", "Attribute 1 value(s)": "Blue, Red", "Attribute 2 name": "Size" },
    ...{ "Attribute 2 value(s)": "M, L" },
  },
  {
    ...{ [GTIN]: "4006381333932", "Cost of goods": "4.50" },
    ...{ ID: "76", Type: "variation", SKU: "woo-vneck-tee-red", Name: "V-Neck T-Shirt - Red", Parent: "woo-vneck-tee" },
    ...{ "Regular price": "20", "Tax class": "parent", "Attribute 1 name": "Color", "Attribute 1 value(s)": "Red" },
  },
  {
    ...{ ID: "77", Type: "variation", SKU: "", Name: "V-Neck T-Shirt", Parent: "id:44", "Regular price": "21.50" },
    ...{ Stock: "parent", "Attribute 1 name": "color", "Attribute 1 value(s)": "Blue", "Weight (kg)": "0.25" },
    ...{ Published: "0", "Attribute 2 name": "Size", "Attribute 2 value(s)": "L" },
  },
  {
    ...{ ID: "48", SKU: "woo-beanie", Name: "Beanie, red", "Regular price": "20", "Sale price": "18.00", Stock: "0" },
    ...{ "Date sale price starts": "2020-01-01", "Date sale price ends": "2099-12-31", "Low stock amount": "3" },
    ...{
      "Short description": "Warm.",
      Description: "One\\nTwo <script>alert(1)</script>&lt;b&gt;",
      ...{ [GTIN]: "4006381333931", Brands: "Warm & Co", "Cost of goods": "7.25" },
    },
  },
  {
    ...{ ID: "58", SKU: "woo-belt", Name: "Belt", "Regular price": "65", "Sale price": "55", Published: "-1" },
    ...{ "Date sale price ends": "2020-12-31", "Tax status": "none", "In stock?": "0" },
  },
  {
    ...{ ID: "73", Type: "simple, downloadable, virtual", SKU: "woo-album", Name: "Album", "Regular price": "15" },
    ...{ "Download limit": "1", "Download expiry days": "-1", "Download 1 name": "Single", Stock: "5" },
    ...{ "Download 1 URL": "https://demo.example/single.jpg", "Backorders allowed?": "notify", Categories: "Music" },
  },
  {
    ID: "75",
    Type: "simple, virtual",
    SKU: "'-woo-advice",
    Name: "Advice",
    "Regular price": "9",
    "Tax class": "luxury",
  },
  { ID: "64", SKU: "woo-hidden", Name: "Hidden", "Regular price": "45", "Visibility in catalog": "hidden" },
  { ID: "87", Type: "grouped", SKU: "logo-collection", Name: "Logo Collection" },
  { ID: "90", Type: "variable", SKU: "woo-empty", Name: "No variations" },
  { ID: "91", Type: "variation", SKU: "woo-orphan", Name: "Orphan", Parent: "id:4711", "Regular price": "1" },
  { ID: "92", SKU: "woo-expensive", Name: "Expensive", "Regular price": "1,234.50", "Sale price": "" },
  { ID: "93", SKU: "woo-free-sale", Name: "Sale", "Regular price": "5", "Sale price": "4.999" },
);

it("is recognized by its columns, and names them in errors and in the list of those not imported", async () => {
  const checked = await aCheckedImport(FILE);
  expect(checked).toMatchObject({ state: "ready", format: "woocommerce", to_create: 10, to_update: 0, failed: 4 });
  expect(checked.left_out).toEqual([
    { column: "Download 1 name", rows: 1 },
    { column: "Download 1 URL", rows: 1 },
  ]);
  expect(await failuresOf(checked.check_job_id)).toMatchObject(
    [
      { line: 3, field: GTIN, code: "invalid", is_warning: true },
      { line: 3, field: GTIN, code: "invalid", is_warning: true },
      { line: 4, field: "Stock", code: "not_applicable", is_warning: true },
      { line: 7, field: "Backorders allowed?", is_warning: true, message: expect.stringContaining("stock of 5") },
      { line: 8, field: "Tax class", is_warning: true },
      { line: 10, field: "Type", code: "not_applicable", message: "grouped products are not imported" },
      { line: 12, field: "Parent", code: "unknown_reference" },
      { line: 14, field: "Sale price", code: "too_precise" },
      { line: 11, field: "Type", message: expect.stringContaining("without variations") },
    ].sort((a, b) => a.line - b.line),
  );
});

it("is named in the panel, with its columns that are not imported", async () => {
  const { id } = await aCheckedImport(FILE);
  const { get } = await anAdministrator();
  const { html } = await get(`/admin/imports/products/${id}`);
  expect(html).toContain("WooCommerce CSV");
  expect(html).toContain("Download 1 name (1), Download 1 URL (1).");
});

it("becomes a product for each simple and variable one, with variants for the variations", async () => {
  await anImport(FILE);
  const tee = await productBySku("woo-vneck-tee");
  expect(tee).toMatchObject({
    ...{ name: "V-Neck T-Shirt", price: 20, price_range: { min: 20, max: 20 }, variant_count: 3, manage_stock: false },
    options: [
      { name: "Color", values: ["Blue", "Red"] },
      { name: "Size", values: ["M", "L"] },
    ],
  });
  // A variation for any size becomes one variant per size.
  for (const size of ["M", "L"])
    expect(await productBySku(`woo-vneck-tee-red-${size}`)).toMatchObject({
      ...{ parent_id: tee.id, name: "V-Neck T-Shirt", price: 20, compare_at_price: null, status: "active" },
      ...{ brand: "Tees", barcode: null, cost: 4.5, seo_title: null },
      ...{
        description: "Soft & light.\n\n- Cotton\n- Made in EU",
        category: { path: [{ name: "Clothing" }, { name: "Tshirts" }] },
      },
      tags: ["summer"],
      ...{ tax_class: "reduced", weight_grams: 500, manage_stock: false, type: "physical" },
      option_values: [
        { name: "Color", value: "Red" },
        { name: "Size", value: size },
      ],
    });
  expect(await productBySku("woo-vneck-tee-Blue-L")).toMatchObject({
    ...{ name: "V-Neck T-Shirt", price: 21.5, stock_quantity: 12, weight_grams: 250, status: "draft" },
    inherits: expect.not.arrayContaining(["weight_grams"]),
  });
  expect(await productBySku("woo-beanie")).toMatchObject({
    ...{ name: "Beanie, red", price: 18, compare_at_price: 20, stock_quantity: 0, low_stock_threshold: 3 },
    ...{ description: "Warm.\n\nOne\nTwo <b>", category: null },
    ...{ brand: "Warm & Co", barcode: "4006381333931", cost: 7.25 },
  });
  expect(await productBySku("woo-belt")).toMatchObject({
    ...{
      price: 65,
      compare_at_price: null,
      status: "draft",
      tax_class: "exempt",
      manage_stock: true,
      stock_quantity: 0,
    },
  });
  expect(await productBySku("woo-album")).toMatchObject({
    ...{ type: "digital", requires_shipping: false, download_limit: 1, download_days: null, manage_stock: false },
  });
  expect(await productBySku("-woo-advice")).toMatchObject({ type: "service", requires_shipping: false });
  expect(await productBySku("woo-hidden")).toMatchObject({ status: "draft" });
});

it("changes nothing when it is imported again, and updates changed rows", async () => {
  await anImport(FILE);
  expect(await aCheckedImport(FILE)).toMatchObject({ to_create: 0, to_update: 0, unchanged: 10 });
  const dearer = FILE.replace('"21.50"', '"22.50"');
  expect(await anImport(dearer)).toMatchObject({ to_create: 0, to_update: 1, unchanged: 9 });
  expect(await productBySku("woo-vneck-tee-Blue-L")).toMatchObject({ price: 22.5 });
});
