import { expect, it } from "vitest";
import { groupFailures } from "../../src/platform/jobs/jobs.ts";
import { anAdmin } from "../support/administration.ts";
import { call } from "../support/call.ts";
import { aCheckedImport, anImport, failuresOf, productBySku, runJob } from "../support/jobs.ts";
import { anAdministrator, fieldsOf } from "../support/panel.ts";
import { expectRefusal } from "../support/refusal.ts";
import { aProduct, db } from "../support/shop.ts";

const files: [what: string, file: (sku: string) => string][] = [
  ["names of columns in capitals", (sku) => `SKU,NAME,TYPE,PRICE\n${sku},Lamp,physical,12.50\n`],
  ["spaces around the names of columns", (sku) => ` sku ; Name ;type ; price\n${sku};Lamp;physical;12,50\n`],
  ["spaces within the names of columns", (sku) => `Sku,Name,Type,Price,Stock Quantity\n${sku},Lamp,physical,12.50,3\n`],
  ["a byte order mark", (sku) => `\uFEFFsku,name,type,price\n${sku},Lamp,physical,12.50\n`],
  ["a line that names the separator", (sku) => `sep=;\r\nsku;name;type;price\r\n${sku};Lamp;physical;12,50\r\n`],
  [
    "a mark, and a quoted line that names the separator",
    (sku) => `\uFEFF"sep=,"\nsku,name,type,price\n${sku},Lamp,physical,12.50\n`,
  ],
  ["tabs", (sku) => `sku\tname\ttype\tprice\n${sku}\tLamp\tphysical\t12.50\n`],
  ["pipes", (sku) => `sku|name|type|price\n${sku}|Lamp|physical|12.50\n`],
  ["an index without a name", (sku) => `,sku,name,type,price\n0,${sku},Lamp,physical,12.50\n`],
  ["an index that is called 0", (sku) => `0,sku,name,type,price\n1,${sku},Lamp,physical,12.50\n`],
  ["columns in another order", (sku) => `price,type,name,sku\n12.50,physical,Lamp,${sku}\n`],
  ["empty rows", (sku) => `\n\nsku,name,type,price\n,,,\n\n${sku},Lamp,physical,12.50\n,,,\n`],
  ["quoted headers", (sku) => `"sku","name","type","price"\n"${sku}","Lamp","physical","12.50"\n`],
  ["columns of WooCommerce in any case", (sku) => `sku,NAME,regular price\n${sku},Lamp,12.50\n`],
  ["some columns of Shopify", (sku) => `Variant SKU,Title,Variant Price\n${sku},Lamp,12.50\n`],
];
it.each(files)("is imported: a file with %s", async (what, file) => {
  const sku = `FMT-${what.replaceAll(/\W/g, "")}`;
  expect(await anImport(file(sku))).toMatchObject({ state: "completed", to_create: 1, failed: 0 });
  expect(await productBySku(sku)).toMatchObject({ name: "Lamp", price: 12.5, type: "physical" });
});

it("is imported except for an unknown column, which is named", async () => {
  const checked = await aCheckedImport("sku,name,type,price,Supplier,Bin\nUNK-1,x,physical,1,Acme,\n");
  expect(checked).toMatchObject({ to_create: 1, failed: 0, left_out: [{ column: "Supplier", rows: 1 }] });
});

const columnsChosen = async (id: number, column_fields: Record<string, string | null>) => {
  const answer = await call(`POST /admin/imports/products/${id}/check`, {
    as: (await anAdmin()).token,
    body: { column_fields },
  });
  if (answer.status === 200) await runJob(answer.body.data.check_job_id);
  return answer;
};

it("reads columns that no field is named like as the chosen fields, also the one that identifies the rows", async () => {
  const file = "Artikelnr,Bezeichnung,Preis,Bin\nMAP-1,Lampe,12.50,7\nMAP-2,,1,\n";
  const unread = await aCheckedImport(file);
  const names = ["Artikelnr", "Bezeichnung", "Preis", "Bin"];
  expect(unread).toMatchObject({ state: "unreadable", left_out: names.map((column) => ({ column, rows: 0 })) });
  const unknown = await columnsChosen(unread.id, { Artikelnr: "skew" });
  expectRefusal(unknown, 400, "column_fields");
  const column_fields = { Artikelnr: "sku", Bezeichnung: "name", Preis: "price", Bin: null };
  await columnsChosen(unread.id, column_fields);
  const as = (await anAdmin()).token;
  const checked = (await call(`GET /admin/imports/products/${unread.id}`, { as })).body.data;
  expect(checked).toMatchObject({ state: "ready", to_create: 1, failed: 1, left_out: [], column_fields });
  expect(await failuresOf(checked.check_job_id)).toMatchObject([{ sku: "MAP-2", field: "Bezeichnung" }]);
  const { body } = await call(`POST /admin/imports/products/${unread.id}/start`, { as, body: {} });
  await runJob(body.data.job_id);
  expect(await productBySku("MAP-1")).toMatchObject({ name: "Lampe", price: 12.5, type: "physical" });
});

it("has its unknown columns chosen in the panel", async () => {
  const { id } = await aCheckedImport("sku,Bezeichnung,Preis,Bin\nMAP-3,Lampe,12.50,7\n");
  const path = `/admin/imports/products/${id}`;
  const administrator = await anAdministrator();
  const shown = await administrator.get(path);
  expect(shown.html).toContain("Choose the fields of the columns that were not recognized");
  const chosen = { "column Bezeichnung": "name", "column Preis": "price" };
  expect((await administrator.post(`${path}/check`, { ...fieldsOf(shown, `${path}/check`), ...chosen })).location).toBe(
    path,
  );
  const { check_job_id } = (await call(`GET ${path}`, { as: (await anAdmin()).token })).body.data;
  await runJob(check_job_id);
  const after = await administrator.get(path);
  expect(after.html).toContain("Import 1 product");
  expect(after.html).not.toContain("Choose the fields of the columns");
});

it.each([
  ["SKU,Stock\n?,9", { stock_quantity: 9 }],
  ["sku,price\n?,22", { price: 22 }],
  ["SKU,Name\n?,New name", { name: "New name" }],
  ["SKU,Status\n?,draft", { status: "draft" }],
  ["SKU,Regular price\n?,22", { price: 22 }],
  ["Handle,Variant SKU,Variant Price\nx,?,22", { price: 22 }],
])("updates by SKU only the fields in a file: %s", async (file, change) => {
  const { sku } = await aProduct({ type: "digital", stock: 5, price: 1000 });
  const before = await productBySku(sku);
  expect(await anImport(file.replace("?", sku))).toMatchObject({ failed: 0, to_create: 0 });
  const { updated_at: _, in_stock: __, price_range: ___, ...after } = await productBySku(sku);
  expect({ ...before, ...change }).toMatchObject(after);
});

it("names the missing fields of a new product", async () => {
  const checked = await aCheckedImport("SKU,Stock\nNEW-1,9\n");
  expect(checked).toMatchObject({ to_create: 0, failed: 1 });
  expect(await failuresOf(checked.check_job_id)).toEqual(
    ["name", "price"].map((field) => expect.objectContaining({ sku: "NEW-1", field, code: "required" })),
  );
});

it("updates and adds variations without their product in the file, unless the shop lacks it", async () => {
  const header =
    "ID,Type,SKU,Name,Published,Tax status,Tax class,In stock?,Stock,Weight (g),Regular price,Categories,Parent,Attribute 1 name,Attribute 1 value(s)";
  const first = [
    header,
    '1,variable,VAR,Hoodie,0,taxable,reduced-rate,1,,300,,Hoodies,,Color,"Red, Blue"',
    "2,variation,VAR-RED,Hoodie - Red,1,taxable,parent,1,4,,20,,VAR,Color,Red",
  ];
  expect(await anImport(first.join("\n"))).toMatchObject({ rows: 2, to_create: 2, skipped: 0, failed: 0 });
  const before = await productBySku("VAR-RED");
  expect(before).toMatchObject({
    ...{ name: "Hoodie", option_values: [{ name: "Color", value: "Red" }], in_stock: true },
    tax_class: "reduced",
    weight_grams: 300,
    price: 20,
    stock_quantity: 4,
  });
  const second = [
    header,
    "2,variation,VAR-RED,Hoodie - Red,1,taxable,parent,1,9,,22,,VAR,Color,Red",
    "3,variation,VAR-BLUE,Hoodie - Blue,1,taxable,parent,1,9,,22,,VAR,Color,Blue",
  ];
  const done = await anImport(second.join("\n"));
  expect(done).toMatchObject({ to_update: 1, to_create: 1, failed: 0 });
  const { updated_at: _, price_range: __, ...after } = await productBySku("VAR-RED");
  expect({ ...before, price: 22, stock_quantity: 9 }).toMatchObject(after);
  expect(await productBySku("VAR-BLUE")).toMatchObject({
    parent_id: before.parent_id,
    price: 22,
    tax_class: "reduced",
  });
  const third = [header, "4,variation,CAP-RED,Cap - Red,1,taxable,parent,1,9,,22,,CAP,Color,Red"];
  const failed = await aCheckedImport(third.join("\n"));
  expect(await failuresOf(failed.check_job_id)).toMatchObject([
    { line: 2, sku: "CAP-RED", field: "Parent", code: "unknown_reference" },
  ]);
});

it("names each reason once with its lines, the most frequent first", async () => {
  const rows = Array.from(
    { length: 7 },
    (_, n) => `GROUP-${n},Row ${n},${n === 0 ? "physical" : "thing"},${n < 2 ? "" : 5}`,
  );
  const { check_job_id } = await aCheckedImport(["sku,name,type,price", ...rows].join("\n"));
  expect(await groupFailures(db, check_job_id)).toEqual([
    { field: "type", message: expect.any(String), count: 6, lines: [3, 4, 5] },
    { field: "price", message: "is required", count: 2, lines: [2, 3] },
  ]);
});
