import { expect, it } from "vitest";
import { administration } from "../support/administration.ts";
import { encoded } from "../support/encoded.ts";
import { aCheckedImport, anImport, failuresOf, productBySku, runJob } from "../support/jobs.ts";

const { ask } = administration();

type Listed = {
  sku: string;
  name: string;
  description: string;
  category: { name: string; path: { name: string }[] } | null;
};

async function products(): Promise<Map<string, Listed>> {
  const { body } = await ask("GET /admin/products?per_page=100");
  return new Map(body.data.map((each: Listed) => [each.sku, each]));
}

const warningsOf = async (id: number) =>
  (await failuresOf(id)).map((each: Record<string, unknown>) => [each.line, each.field, each.code, each.is_warning]);

it("are read without entities in a WooCommerce file, each decoded once", async () => {
  const file = `Type,SKU,Name,Published,Description,Regular price,Categories
simple,WENT-1,Salt &amp; pepper,1,&Aacute;rbol &ndash; 5&frac12; &scaron;,5,Home &amp; Bath > Kitchen &amp; Co
simple,WENT-2,&amp;lt; &eacute;,1,,5,Home & Bath > Kitchen & Co`;
  expect(await anImport(file)).toMatchObject({ to_create: 2, failed: 0 });
  const found = await products();
  expect(found.get("WENT-1")).toMatchObject({ name: "Salt & pepper", description: "Árbol – 5½ š" });
  expect(found.get("WENT-2")).toMatchObject({ name: "&lt; é" });
  expect(found.get("WENT-1")?.category).toMatchObject({
    name: "Kitchen & Co",
    path: [{ name: "Home & Bath" }, { name: "Kitchen & Co" }],
  });
  expect(found.get("WENT-2")?.category).toEqual(found.get("WENT-1")?.category);
});

it("are read without entities in a Shopify file", async () => {
  const file = `Handle,Title,Body (HTML),Type,Option1 Name,Option1 Value,Variant SKU,Variant Price
mill,Salt &amp; pepper,<p>Caf&eacute;</p>,Mills &amp; Co,Size,S &amp; M,SENT-1,5`;
  await anImport(file);
  expect(await productBySku("SENT-1")).toMatchObject({
    ...{ name: "Salt & pepper", description: "Café", category: { name: "Mills & Co" } },
    option_values: [{ name: "Size", value: "S & M" }],
  });
});

it("are unchanged in our own format, except for control characters in a line", async () => {
  const file =
    'sku,name,type,price,description\nOENT-1,"R&amp;D\u0001\u0007mug\u0000",physical,5,"a&amp;b\n\nc, and as much text as rows have"\n';
  expect(await anImport(file)).toMatchObject({ to_create: 1, failed: 0 });
  expect((await products()).get("OENT-1")).toMatchObject({
    name: "R&amp;D mug",
    description: expect.stringMatching(/^a&amp;b\n\nc,/),
  });
});

it("end with a word and a warning if they are too long, and the row is imported", async () => {
  const [name, description] = ["Longword ".repeat(40).trim(), "sentences, ".repeat(3_000).trim()];
  const category = ["Top", ...Array.from({ length: 40 }, (_, n) => `Level ${n}`)].join(" > ");
  const { job_id, check_job_id } = await anImport(
    `Type,SKU,Name,Published,Description,Regular price,Categories\nsimple,LONG-1,${name},1,"${description}",5,${category}`,
  );
  const warnings = [
    [2, "Name", "too_big", true],
    [2, "Description", "too_big", true],
    [2, "Categories", "too_big", true],
  ];
  expect(await warningsOf(check_job_id)).toEqual(warnings);
  expect(await warningsOf(job_id)).toEqual(warnings);
  const found = (await products()).get("LONG-1");
  expect(found?.name).toBe("Longword ".repeat(22).trim());
  expect(found?.description).toMatch(/^(sentences, )+sentences,$/);
  expect(found?.category?.path.map((step) => step.name)).toEqual(["Top", "Level 0", "Level 1", "Level 2", "Level 3"]);
});

it("are shortened in an import of customers, too", async () => {
  const file = `email,name,company\nlong-name@example.com,${"Maria ".repeat(30)},Tea\u0002House\n`;
  const { job_id } = await anImport(file, { resource: "customers", name: "customers.csv" });
  expect(await warningsOf(job_id)).toEqual([[2, "name", "too_big", true]]);
  const { body } = await ask("GET /admin/users?search=long-name");
  expect(body.data).toMatchObject([{ name: "Maria ".repeat(16).trim(), company: "Tea House" }]);
});

const fileOf = (...names: string[]) =>
  `sku;name;type;price\r\n${names.map((name, at) => `ENC-${at};${name};physical;12,50\r\n`).join("")}`;

it("previews a guess with examples before the start, and reads the file in another encoding if chosen", async () => {
  const names = ["Футболка белая", "Чашка большая", "Куртка", "Кружка"];
  const checked = await aCheckedImport(encoded(fileOf(...names), "windows-1251"));
  expect(checked).toMatchObject({
    ...{ state: "ready", encoding: "windows-1251", encoding_guessed: true, failed: 0 },
    encoding_examples: names.slice(0, 3),
  });
  const { body } = await ask(`POST /admin/imports/products/${checked.id}/check`, { encoding: "windows-1252" });
  await runJob(body.data.check_job_id);
  const changed = (await ask(`GET /admin/imports/products/${checked.id}`)).body.data;
  expect(changed).toMatchObject({
    encoding: "windows-1252",
    encoding_guessed: false,
    samples: [{ name: "Ôóòáîëêà áåëàÿ" }, {}, {}, {}],
  });
});

it.each(["utf-8", "utf-16le", "utf-16be"])("does not guess if a file declares its encoding: %s", async (encoding) => {
  const checked = await aCheckedImport(encoded(fileOf("Größe XL"), encoding));
  expect(checked).toMatchObject({
    encoding,
    encoding_guessed: false,
    encoding_examples: [],
    samples: [{ name: "Größe XL" }],
  });
});

it("fails only the rows with bad bytes in a file that is otherwise UTF-8", async () => {
  const [good, bad] = [encoded(fileOf("Größe XL"), "utf-8"), encoded("BAD-1;café;physical;3\r\n", "windows-1252")];
  const checked = await aCheckedImport(new Uint8Array([...good, ...bad]));
  expect(checked).toMatchObject({
    encoding: "utf-8",
    rows: 2,
    to_create: 1,
    failed: 1,
    samples: [{ name: "Größe XL" }],
  });
  expect(await failuresOf(checked.check_job_id)).toMatchObject([{ line: 3, sku: "BAD-1", code: "invalid_encoding" }]);
});
