import { expect, it } from "vitest";
import { administration } from "../support/administration.ts";
import { aCheckedImport, anImport, failuresOf } from "../support/jobs.ts";
import { aCategory } from "../support/shop.ts";

const { ask } = administration();

const wooFile = (rows: [sku: string, category: string][]) =>
  ["Type,SKU,Name,Published,Regular price,Categories", ...rows.map((row) => wooRow(...row))].join("\n");
const wooRow = (sku: string, category: string) => `simple,${sku},Goods ${sku},1,5,"${category}"`;

type Listed = { sku: string; category: { id: number; name: string; slug: string; path: { name: string }[] } };

/** The categories of several products, read in one request because users are rate limited. */
async function categoriesOf(...skus: string[]) {
  const { body } = await ask("GET /admin/products?per_page=100");
  const listed: Listed[] = body.data;
  return skus.map((sku) => listed.find((each) => each.sku === sku)?.category);
}

it.each([
  ["signs", ["Class A", "Class A+", "Class A++", "On C", "On C++", "On C#"]],
  ["letters of another script", ["Phone > Чехлы", "Phone > Кабели", "Phone", "Чехлы"]],
  ["characters of Chinese", ["中文茶具", "中文茶叶", "茶"]],
  ["pictures", ["🍵", "☕"]],
  ["letters that sound the same", ["Чай", "Chay", "chay 2"]],
  ["the beginning of a long path", ["A", "B"].map((top) => `${top} > ${"Very long name, ".repeat(12)}`.trim())],
  ["what they are below", ["Clothing > Shirts", "Shirts", "Clothing", "Shirts > Clothing > Shirts"]],
])("are as many as their names, which differ by %s, and the same at the next import", async (by, names) => {
  const rows = [...names, ...names].map((name, n): [string, string] => [
    `CAT-${by.length}-${n}`,
    name.replaceAll(",", "\\,"),
  ]);
  await anImport(wooFile(rows));
  const found = await categoriesOf(...rows.map(([sku]) => sku));
  expect(found.map((each) => each?.path.map(({ name }) => name).join(" > "))).toEqual([...names, ...names]);
  expect(new Set(found.map((each) => each?.id)).size).toBe(names.length);
  expect(new Set(found.map((each) => each?.slug)).size).toBe(names.length);
  const again = [...rows.toReversed(), [`CAT-${by.length}-more`, rows[0]?.[1] ?? ""] satisfies [string, string]];
  expect(await anImport(wooFile(again))).toMatchObject({
    ...{ to_create: 1, to_update: 0, unchanged: rows.length, failed: 0 },
  });
  expect(await categoriesOf(`CAT-${by.length}-more`)).toEqual([found[0]]);
});

it("use the slug of their name, with a number if another category has that", async () => {
  await anImport(
    wooFile([
      ["NUM-1", "Grade B"],
      ["NUM-2", "Grade B+"],
      ["NUM-3", "Grade B-"],
    ]),
  );
  const slugs = await categoriesOf("NUM-1", "NUM-2", "NUM-3");
  expect(slugs.map((each) => each?.slug)).toEqual(["grade-b", "grade-b-2", "grade-b-3"]);
});

it("are found whatever the case and spaces of their path", async () => {
  await anImport(wooFile([["CASE-1", "Garden > Tools"]]));
  await anImport(wooFile([["CASE-2", "GARDEN >tools"]]));
  const [first, second] = await categoriesOf("CASE-1", "CASE-2");
  expect(second).toEqual(first);
});

it("differ from a category that has the slug of a row but another name", async () => {
  const shelf = await aCategory("Shelves");
  const file = `sku,name,type,price,category,category_slug\nOWN-S,Shelf,physical,5,Racks,${shelf.slug}\n`;
  await anImport(file);
  expect(await categoriesOf("OWN-S")).toMatchObject([{ name: "Racks", slug: `${shelf.slug}-2` }]);
});

it("are found by the slug of a row without a name for them", async () => {
  const boxes = await aCategory("Boxes");
  const file = `sku,name,type,price,category_slug\nBYS-1,Box,physical,5,${boxes.slug}\nBYS-2,Box,physical,5,no-such\n`;
  const { check_job_id } = await anImport(file);
  expect(await categoriesOf("BYS-1")).toMatchObject([{ id: boxes.id }]);
  expect(await failuresOf(check_job_id)).toMatchObject([
    { line: 3, field: "category_slug", code: "unknown_reference" },
  ]);
});

it("with a duplicate name remain those that a file names by slug", async () => {
  const ids = await Promise.all(
    ["twins-a", "twins-b"].map(
      async (slug) => (await ask("POST /admin/categories", { name: "Twins", slug })).body.data.id,
    ),
  );
  const file =
    "sku,name,type,price,category,category_slug\nTW-1,One,physical,5,Twins,twins-a\nTW-2,Two,physical,5,Twins,twins-b\n";
  await anImport(file);
  expect((await categoriesOf("TW-1", "TW-2")).map((each) => each?.id)).toEqual(ids);
  expect(await aCheckedImport(file)).toMatchObject({ unchanged: 2 });
});
